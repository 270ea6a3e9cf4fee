// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.core.DirectoryFactory;
import org.apache.solr.core.SolrCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each factory in a Solr of this process. */
class SolrTest {

  private static final String CORE = "books";

  /** So long that a block cache holds blocks of it. */
  private static final int LONG_BYTES = 40_000;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HybridDirectoryFactory",
        "MappedDirectoryFactory",
        "NioDirectoryFactory",
        "NrtCacheDirectoryFactory",
        "BlockCacheDirectoryFactory",
        "RamDirectoryFactory",
        "solr.NRTCachingDirectoryFactory"
      })
  void lifeOfACore(String name) throws Exception {
    Path home = folder.resolve("node");
    try (Node node = new Node(home).create(CORE, Node.factory(name))) {
      node.add(CORE, 0, 100);
      node.commit(CORE);
      node.add(CORE, 100, 150);
      node.softCommit(CORE);
      assertEquals(150, node.count(CORE, "body:all"));
      node.delete(CORE, "body:mod3");
      node.softCommit(CORE);
      assertEquals(135, node.count(CORE, "body:all"));
      node.commit(CORE);
      node.reload(CORE);
      assertEquals(135, node.count(CORE, "body:all"));
    }
    try (Node node = new Node(home)) {
      assertEquals(135, node.count(CORE, "body:all"));
      node.add(CORE, 200, 210);
      node.commit(CORE);
    }
    // Back to the standard.
    try (Node node = new Node(folder.resolve("other"))) {
      node.configure(CORE, "");
    }
    Files.copy(
        folder.resolve("other/books/conf/solrconfig.xml"),
        home.resolve("books/conf/solrconfig.xml"),
        StandardCopyOption.REPLACE_EXISTING);
    try (Node node = new Node(home)) {
      assertEquals(145, node.count(CORE, "body:all"));
    }
  }

  /** The configuration beside the manifests is one of a leader, and one of its follower. */
  @Test
  void deployedConfiguration() throws Exception {
    try (Node leader = new Node(folder.resolve("leader"));
        Node follower = new Node(folder.resolve("follower"))) {
      leader.createDeployed(CORE, Map.of("leader", "true"));
      follower.createDeployed(CORE, Map.of("follower", "true", "follows", leader.address(CORE)));
      leader.add(CORE, 0, 10, false);
      leader.commit(CORE);
      // The follower also polls, at a random moment; a command in the middle of a poll does
      // nothing.
      await(
          () -> {
            follower.replication(CORE, "command", "fetchindex", "wait", "true");
            return follower.count(CORE, "body:ALL") == 10;
          });
      try (SolrCore core = follower.core(CORE)) {
        assertInstanceOf(HybridDirectoryFactory.class, core.getDirectoryFactory());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HybridDirectoryFactory",
        "NrtCacheDirectoryFactory",
        "BlockCacheDirectoryFactory",
        "RamDirectoryFactory",
        "solr.NRTCachingDirectoryFactory"
      })
  void replicationAndBackup(String name) throws Exception {
    Path follower = folder.resolve("follower");
    try (Node leader = new Node(folder.resolve("leader")).create(CORE, Node.factory(name))) {
      try (Node node = new Node(follower).create(CORE, Node.factory(name))) {
        leader.add(CORE, 0, 100);
        leader.commit(CORE);
        fetch(node, leader, 100); // a whole index
        leader.add(CORE, 100, 130);
        leader.commit(CORE);
        fetch(node, leader, 130); // the new files, moved
      }
      try (Node node = new Node(follower)) {
        assertEquals(130, node.count(CORE, "body:all"));
        leader.delete(CORE, "body:mod1");
        leader.commit(CORE);
        fetch(node, leader, 117);
      }
      Path backups = Files.createDirectories(folder.resolve("backups"));
      leader.replication(
          CORE, "command", "backup", "location", backups.toString(), "name", "first");
      await(
          () -> String.valueOf(leader.replication(CORE, "command", "details")).contains("success"));
      leader.delete(CORE, "*:*");
      leader.commit(CORE);
      assertEquals(0, leader.count(CORE, "*:*"));
      leader.replication(
          CORE, "command", "restore", "location", backups.toString(), "name", "first");
      await(() -> leader.count(CORE, "*:*") == 117);
      try (Stream<Path> data = Files.list(folder.resolve("leader/books/data"))) {
        assertTrue(data.anyMatch(path -> path.toString().contains("restore.")));
      }
    }
    try (Node node = new Node(folder.resolve("leader"))) {
      assertEquals(117, node.count(CORE, "*:*"), "restored, not committed, and started again");
    }
  }

  private static void fetch(Node follower, Node leader, int expected) throws Exception {
    follower.replication(
        CORE, "command", "fetchindex", "leaderUrl", leader.address(CORE), "wait", "true");
    assertEquals(expected, follower.count(CORE, "body:all"));
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    for (int i = 0; i < 400 && !condition.holds(); i++) {
      Thread.sleep(25);
    }
    assertTrue(condition.holds(), "within ten seconds");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HybridDirectoryFactory",
        "NrtCacheDirectoryFactory",
        "BlockCacheDirectoryFactory",
        "RamDirectoryFactory"
      })
  void changesPastTheDirectoryAreSeen(String name) throws Exception {
    try (Node node = new Node(folder.resolve("node")).create(CORE, Node.factory(name));
        SolrCore core = node.core(CORE)) {
      DirectoryFactory factory = core.getDirectoryFactory();
      Directory data =
          factory.get(core.getDataDir(), DirectoryFactory.DirContext.META_DATA, "native");
      for (byte i = 0; i < 3; i++) {
        write(data, "index.properties." + i, i, DirectoryFactory.IOCONTEXT_NO_CACHE);
        factory.renameWithOverwrite(data, "index.properties." + i, "index.properties");
        assertEquals(i, first(data, "index.properties"));
      }
      assertTrue(Files.exists(Path.of(core.getDataDir(), "index.properties")), "a file");
      data.deleteFile("index.properties");
      factory.release(data);
      Directory from = get(factory, core.getDataDir() + "index.1");
      Directory to = get(factory, core.getDataDir() + "index.2");
      for (byte i = 0; i < 3; i++) {
        // Small, so that a directory may hold it in memory alone.
        write(from, "_1.fdt", i, IOContext.flush(new FlushInfo(1, 100)));
        assertEquals(i, first(from, "_1.fdt"));
        factory.move(from, to, "_1.fdt", DirectoryFactory.IOCONTEXT_NO_CACHE);
        assertEquals(i, first(to, "_1.fdt"));
        assertTrue(Files.exists(Path.of(core.getDataDir(), "index.2", "_1.fdt")), "durable");
        assertEquals(0, factory.size(from));
        assertEquals(List.of("_1.fdt"), List.of(to.listAll()));
        byte other = i;
        assertThrows(
            FileAlreadyExistsException.class,
            () -> write(to, "_1.fdt", other, IOContext.flush(new FlushInfo(1, 100))));
        to.deleteFile("_1.fdt");
      }
      if (name.startsWith("BlockCache")) {
        write(from, "_2.fdt", (byte) 1, IOContext.DEFAULT);
        assertEquals(1, first(from, "_2.fdt"));
        Directory raw =
            factory.get(
                core.getDataDir() + "index.1", DirectoryFactory.DirContext.REPLICATION, "native");
        raw.deleteFile("_2.fdt");
        write(raw, "_2.fdt", (byte) 2, IOContext.DEFAULT);
        factory.release(raw);
        assertEquals(2, first(from, "_2.fdt"));
      }
      for (Directory directory : List.of(from, to)) {
        factory.doneWithDirectory(directory);
        factory.remove(directory);
        factory.release(directory);
      }
      assertTrue(Files.notExists(Path.of(core.getDataDir(), "index.2")));
    }
  }

  private static Directory get(DirectoryFactory factory, String path) throws Exception {
    return factory.get(path, DirectoryFactory.DirContext.DEFAULT, "native");
  }

  private static void write(Directory directory, String name, byte value, IOContext context)
      throws Exception {
    byte[] bytes = new byte[LONG_BYTES];
    bytes[0] = value;
    try (IndexOutput out = directory.createOutput(name, context)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  private static byte first(Directory directory, String name) throws Exception {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      return in.readByte();
    }
  }

  @Test
  void wrongOptionsAreErrors() throws Exception {
    refuses("HybridDirectoryFactory", "<str name='preload'>*</str>", "allowed: mapped, mappedR");
    refuses("MappedDirectoryFactory", "<str name='path'>/tmp</str>", "unknown option 'path'");
    refuses("NrtCacheDirectoryFactory", "<str name='maxCachedMB'>-1</str>", "above 0");
    refuses("NioDirectoryFactory", "<int name='blockBytes'>12</int>", "a power of two from 8");
    refuses("RamDirectoryFactory", "<str name='maxMB'>much</str>", "a number of megabytes above 0");
    try (Node node = new Node(folder.resolve("shared"))) {
      node.create("one", Node.factory("BlockCacheDirectoryFactory", "<int name='cacheMB'>8</int>"));
      String other = Node.factory("BlockCacheDirectoryFactory", "<int name='cacheMB'>9</int>");
      Throwable error = assertThrows(Throwable.class, () -> node.create("two", other));
      assertTrue(messages(error).contains("set the same cacheMB"), messages(error));
    }
  }

  private void refuses(String name, String option, String expected) throws Exception {
    try (Node node = new Node(folder.resolve(name))) {
      Throwable error =
          assertThrows(Throwable.class, () -> node.create(CORE, Node.factory(name, option)));
      assertTrue(messages(error).contains(expected), messages(error));
    }
  }

  private static String messages(Throwable error) {
    return Stream.iterate(error, cause -> cause != null, Throwable::getCause)
        .map(Throwable::toString)
        .toList()
        .toString();
  }

  /** The snippets of the guide, each beside the same documents with Solr's own. */
  @Test
  void guide() throws Exception {
    String page = Files.readString(Path.of(System.getProperty("guide.page")));
    Matcher block = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL).matcher(page);
    List<String> snippets = new ArrayList<>();
    while (block.find()) {
      snippets.add(block.group(1));
    }
    assertEquals(4, snippets.size());
    String prefetching = snippets.get(2) + snippets.get(3);
    try (Node node = new Node(folder.resolve("node"))) {
      node.create("hybrid", snippets.get(0) + prefetching);
      node.create("cached", snippets.get(1));
      node.create("solr", "");
      String query = "[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8]";
      for (int from = 0; from < 300; from += 100) {
        for (String core : List.of("hybrid", "cached", "solr")) {
          node.add(core, from, from + 100);
          node.softCommit(core);
        }
        try (SolrCore core = node.core("hybrid")) {
          core.withSearcher(
              searcher ->
                  assertInstanceOf(PrefetchingDirectoryReader.class, searcher.getRawReader()));
        }
        assertEquals(10, node.nearest("solr", query).size());
        assertEquals(node.nearest("solr", query), node.nearest("hybrid", query));
        assertEquals(node.nearest("solr", query), node.nearest("cached", query));
      }
      // More than the head of a chunk, which is in memory.
      for (String core : List.of("hybrid", "solr")) {
        for (int from = 0; from < 200; from += 100) {
          node.add(core, large(from, from + 100));
          node.softCommit(core);
        }
      }
      long asked = PathCounter.NATIVE_ADVICE.count();
      List<String> hits = node.page("hybrid", "/page");
      assertTrue(PathCounter.NATIVE_ADVICE.count() > asked);
      assertEquals(50, hits.size());
      assertEquals(node.page("solr", "/select"), hits);
    }
  }

  private static List<SolrInputDocument> large(int from, int to) {
    Random random = new Random(from);
    return IntStream.range(from, to)
        .mapToObj(
            i -> {
              SolrInputDocument document = new SolrInputDocument();
              document.addField("id", "large" + i);
              String text = random.ints(500).mapToObj(Integer::toHexString).collect(joining(" "));
              document.addField("body", "large " + text);
              return document;
            })
        .toList();
  }

  @Test
  void metrics() throws Exception {
    try (Node node = new Node(folder.resolve("node"))) {
      node.create(CORE, Node.factory("BlockCacheDirectoryFactory", "<int name='cacheMB'>8</int>"));
      node.create("ram", Node.factory("RamDirectoryFactory", "<int name='maxMB'>64</int>"));
      for (String core : List.of(CORE, "ram")) {
        node.add(core, 0, 500);
        node.commit(core);
        node.reload(core);
        assertEquals(500, node.count(core, "body:all"));
        assertTrue(metric(node, core, "files_bytes") > 10_000);
      }
      assertTrue(metric(node, CORE, "resident_bytes") > 0);
      assertTrue(metric(node, CORE, "cache_lookups") > 0);
      assertTrue(metric(node, "ram", "memory_bytes") > 10_000);
    }
  }

  /** The sum of a metric that a core reports. */
  private static double metric(Node node, String core, String name) {
    double sum = 0;
    for (MetricSnapshot metric :
        node.container()
            .getMetricManager()
            .getPrometheusMetricReader("solr.core." + core)
            .collect()) {
      if (metric.getMetadata().getPrometheusName().equals("solr_core_directory_" + name)) {
        for (DataPointSnapshot point : metric.getDataPoints()) {
          assertEquals(core, point.getLabels().get("core"));
          sum +=
              point instanceof GaugeSnapshot.GaugeDataPointSnapshot gauge
                  ? gauge.getValue()
                  : ((CounterSnapshot.CounterDataPointSnapshot) point).getValue();
        }
      }
    }
    return sum;
  }
}
