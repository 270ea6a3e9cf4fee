// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.nio.NioDirectory;
import io.opentelemetry.api.common.Attributes;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.Accountable;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.CloseHook;
import org.apache.solr.core.DirectoryFactory;
import org.apache.solr.core.SolrCore;
import org.apache.solr.metrics.SolrMetricsContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a factory while its core is reloaded, swapped, renamed and unloaded. */
class MetricsTest {

  private static final String FACTORY = Node.factory(Counting.class.getName());

  @TempDir Path folder;

  /** Makes directories that count how often a metric asks them. */
  public static final class Counting extends FolderDirectoryFactory {

    private static final List<Counted> MADE = new ArrayList<>();

    private static final List<WeakReference<?>> ALL = new ArrayList<>();

    /** Called by Solr. */
    public Counting() {
      synchronized (MADE) {
        ALL.add(new WeakReference<>(this));
      }
    }

    @Override
    void configure(Options options) {}

    @Override
    protected Directory create(String path, LockFactory locks) throws IOException {
      Counted made = new Counted(new NioDirectory(Path.of(path), locks));
      synchronized (MADE) {
        MADE.add(made);
      }
      return made;
    }
  }

  private static final class Counted extends FilterDirectory implements Accountable {

    private int asked;
    private boolean closed;

    Counted(Directory in) {
      super(in);
    }

    /** Called by the metric of memory alone. */
    @Override
    public synchronized long ramBytesUsed() {
      asked++;
      return 1;
    }

    @Override
    public void close() throws IOException {
      synchronized (this) {
        closed = true;
      }
      super.close();
    }
  }

  @BeforeEach
  void forget() {
    Counting.MADE.clear();
    Counting.ALL.clear();
  }

  /** The gauge of one name, by the core that it is labelled with, from all registries. */
  private static Map<String, Double> collect(Node node, String name) {
    Map<String, Double> values = new TreeMap<>();
    node.container()
        .getMetricManager()
        .getPrometheusMetricReaders()
        .forEach(
            (registry, reader) -> {
              for (MetricSnapshot metric : reader.collect()) {
                if (metric.getMetadata().getName().equals("solr_core_directory_" + name)) {
                  for (DataPointSnapshot point : metric.getDataPoints()) {
                    String core = point.getLabels().get("core");
                    assertEquals("solr.core." + core, registry);
                    assertNull(
                        values.put(
                            core, ((GaugeSnapshot.GaugeDataPointSnapshot) point).getValue()));
                  }
                }
              }
            });
    return values;
  }

  /**
   * A collection asks each open directory once and no closed one, and has one metric for a core.
   */
  private static void assertAskedOnce(Node node, String... cores) {
    List<Counted> made = List.copyOf(Counting.MADE);
    made.forEach(each -> each.asked = 0);
    Map<String, Double> memory = collect(node, "memory_bytes");
    assertEquals(List.of(cores), List.copyOf(memory.keySet()));
    int open = 0;
    for (Counted each : made) {
      assertEquals(each.closed ? 0 : 1, each.asked, each::toString);
      open += each.asked;
    }
    assertEquals(open, memory.values().stream().mapToDouble(value -> value).sum());
    assertEquals(cores.length > 0, open > 0);
  }

  @Test
  void reload() throws Exception {
    try (Node node = new Node(folder.resolve("node")).create("one", FACTORY)) {
      assertAskedOnce(node, "one");
      for (int i = 0; i < 3; i++) {
        node.add("one", i * 10, i * 10 + 10);
        node.commit("one");
        node.reload("one");
        assertAskedOnce(node, "one");
      }
    }
  }

  /** A follower leaves its index for the one that it fetched. */
  @Test
  void anotherIndex() throws Exception {
    try (Node leader =
            new Node(folder.resolve("leader")).create("one", Node.factory("NioDirectoryFactory"));
        Node node = new Node(folder.resolve("node")).create("one", FACTORY)) {
      leader.add("one", 0, 100);
      leader.commit("one");
      node.add("one", 0, 10);
      node.commit("one");
      assertAskedOnce(node, "one");
      node.replication(
          "one", "command", "fetchindex", "leaderUrl", leader.address("one"), "wait", "true");
      assertEquals(100, node.count("one", "*:*"));
      assertTrue(Counting.MADE.stream().anyMatch(each -> each.closed));
      assertAskedOnce(node, "one");
    }
  }

  @Test
  void swapAndRename() throws Exception {
    try (Node node = new Node(folder.resolve("node"))) {
      node.create("one", FACTORY).create("two", FACTORY);
      node.add("two", 0, 500);
      node.commit("two");
      node.reload("two");
      Map<String, Double> files = collect(node, "files_bytes");
      List<Double> sizes = List.copyOf(files.values());
      assertTrue(sizes.get(1) > sizes.get(0) + 10_000, files::toString);
      Map<String, Double> swapped = Map.of("one", sizes.get(1), "two", sizes.get(0));
      for (int i = 0; i < 4; i++) {
        node.container().swap("one", "two");
        collect(node, "files_bytes"); // notices it
        assertEquals(i % 2 == 0 ? swapped : files, collect(node, "files_bytes"));
        assertAskedOnce(node, "one", "two");
        if (i == 1) {
          node.reload("one");
        }
      }
      node.container().rename("two", "three");
      collect(node, "files_bytes");
      assertEquals(
          Map.of("one", sizes.get(0), "three", sizes.get(1)), collect(node, "files_bytes"));
      assertAskedOnce(node, "one", "three");
    }
  }

  @Test
  void unload() throws Exception {
    try (Node node = new Node(folder.resolve("node"))) {
      node.create("one", FACTORY).create("two", FACTORY);
      node.add("one", 0, 100);
      node.commit("one");
      node.reload("one");
      node.container().swap("one", "two");
      node.container().swap("one", "two");
      collect(node, "files_bytes");
      askWhileClosing(node, "one");
      node.container().unload("one");
      assertAskedOnce(node, "two");
      // A thread of Solr's that still uses the core closes it later.
      CloudCollection.await(
          "unloaded",
          () ->
              node.container().getMetricManager().hasRegistry("solr.core.one")
                  ? "the registry is there"
                  : "");
      node.create("one", FACTORY);
      assertAskedOnce(node, "one", "two");
      node.container().unload("one");
      node.container().unload("two");
      assertAskedOnce(node);
      assertForgotten();
    }
  }

  /** As a request for metrics does that comes after the registry was removed. */
  private static void askWhileClosing(Node node, String name) {
    try (SolrCore opened = node.core(name)) {
      opened.addCloseHook(
          new CloseHook() {
            @Override
            public void preClose(SolrCore core) {
              try {
                assertTrue(core.getDirectoryFactory().exists(core.getDataDir()));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
    }
  }

  /** Where the registry stays, as after a core that could not be loaded. */
  @Test
  void closedFactory() throws Exception {
    try (Node node = new Node(folder.resolve("node"))) {
      for (int i = 0; i < 2; i++) {
        Counting factory = new Counting();
        factory.init(new NamedList<>());
        factory.initCoreContainer(node.container());
        SolrMetricsContext context =
            new SolrMetricsContext(node.container().getMetricManager(), "solr.core.one");
        factory.initializeMetrics(context, Attributes.empty());
        String path = folder.resolve("files").toString();
        Directory directory = factory.get(path, DirectoryFactory.DirContext.DEFAULT, "native");
        assertAskedOnce(node, "one");
        factory.release(directory);
        factory.close();
        assertAskedOnce(node);
        assertNull(factory.getSolrMetricsContext());
        factory.exists(path);
        assertAskedOnce(node);
      }
      assertForgotten();
    }
  }

  /** No callback keeps a directory or a factory. */
  private static void assertForgotten() throws InterruptedException {
    List<WeakReference<?>> all = new ArrayList<>(Counting.ALL);
    Counting.MADE.forEach(each -> all.add(new WeakReference<>(each)));
    Counting.MADE.clear();
    assertTrue(all.size() >= 4);
    for (int i = 0; i < 100 && all.stream().anyMatch(each -> each.get() != null); i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertEquals(List.of(), all.stream().map(WeakReference::get).filter(Objects::nonNull).toList());
  }
}
