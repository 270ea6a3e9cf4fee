// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import static org.apache.lucene.index.VectorSimilarityFunction.EUCLIDEAN;

import io.github.lucenedirectories.opensearch.DirectoriesPlugin.Fetched;
import io.github.lucenedirectories.ram.RamBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NativeFSLockFactory;
import org.apache.lucene.tests.search.CheckHits;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.opensearch.Version;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.SetOnce;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.lucene.index.OpenSearchDirectoryReader;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsException;
import org.opensearch.common.settings.SettingsModule;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexModule;
import org.opensearch.index.engine.EngineConfigFactory;
import org.opensearch.index.engine.InternalEngineFactory;
import org.opensearch.index.shard.ShardUtils;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.test.OpenSearchTestCase;

/** Settings, budget, refusals, statistics and warm starts of the plugin, without a node. */
@LuceneTestCase.SuppressFileSystems("ExtrasFS") // files that the statistics would count
public class DirectoriesPluginTest extends OpenSearchTestCase {

  private static final int MIB = 1 << 20;

  private static final StatisticsAction.Request STATISTICS =
      new StatisticsAction.Request("", 0, null);

  private static DirectoriesPlugin plugin(String... settings) {
    return new DirectoriesPlugin(of(settings));
  }

  private static Settings of(String... settings) {
    Settings.Builder builder = Settings.builder();
    for (int i = 0; i < settings.length; i += 2) {
      builder.put(settings[i], settings[i + 1]);
    }
    return builder.build();
  }

  private static ClusterSettings cluster(DirectoriesPlugin plugin, Settings settings) {
    Set<Setting<?>> known = new HashSet<>(ClusterSettings.BUILT_IN_CLUSTER_SETTINGS);
    known.addAll(plugin.getSettings());
    return new ClusterSettings(settings, known);
  }

  private static void write(Directory directory, String name, int bytes) throws IOException {
    try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
      output.writeBytes(randomByteArrayOfLength(bytes), bytes);
    }
  }

  private static DiscoveryNode node() {
    return new DiscoveryNode(
        "node", new TransportAddress(TransportAddress.META_ADDRESS, 9300), Version.CURRENT);
  }

  public void testSizes() {
    Setting<?> setting = DirectoriesPlugin.RAM_SIZE;
    assertEquals("5mb", setting.get(of(setting.getKey(), "5mb")).toString());
    long tenth = DirectoriesPlugin.RAM_SIZE.get(of(setting.getKey(), "10%")).getBytes();
    long fifth = DirectoriesPlugin.RAM_SIZE.get(of(setting.getKey(), "20%")).getBytes();
    assertEquals(2.0, (double) fifth / tenth, 0.001);
    for (String wrong : List.of("1kb", "-1", "0%", "101%", "many")) {
      Exception e = expectThrows(Exception.class, () -> setting.get(of(setting.getKey(), wrong)));
      assertTrue(e.toString(), e instanceof RuntimeException);
    }
  }

  public void testFetchPrefetch() {
    Setting<Fetched> setting = DirectoriesPlugin.FETCH_PREFETCH;
    for (boolean own : new boolean[] {false, true}) {
      assertEquals(own, setting.get(Settings.EMPTY).includes(own));
      assertEquals(own, setting.get(of(setting.getKey(), "own")).includes(own));
      assertTrue(setting.get(of(setting.getKey(), "all")).includes(own));
      assertFalse(setting.get(of(setting.getKey(), "none")).includes(own));
    }
    Exception e =
        expectThrows(
            IllegalArgumentException.class, () -> setting.get(of(setting.getKey(), "some")));
    assertTrue(e.toString(), e.toString().endsWith("must be own, all or none: some"));
  }

  /** Settings are sizes and switches, and requests only ask, with a privilege of their own. */
  public void testNothingNamesPaths() {
    DirectoriesPlugin plugin = plugin();
    for (Setting<?> setting : plugin.getSettings()) {
      Object value = setting.get(Settings.EMPTY);
      assertTrue(
          setting.getKey(),
          value instanceof ByteSizeValue || value instanceof Boolean || value instanceof Enum);
    }
    for (RestHandler handler : RestHandlers.all()) {
      handler.routes().forEach(route -> assertEquals(RestRequest.Method.GET, route.getMethod()));
    }
    assertEquals("cluster:monitor/directories/stats", StatisticsAction.INSTANCE.name());
    plugin.close();
  }

  /** Types that map files are refused as the node refuses its own, and others open. */
  public void testMmapNotAllowed() throws IOException {
    DirectoriesPlugin plugin = plugin("node.store.allow_mmap", "false");
    Set<StoreType> refused = EnumSet.noneOf(StoreType.class);
    for (StoreType type : StoreType.values()) {
      try (Directory directory = TestShards.open(plugin, type, createTempDir(), 0)) {
        write(directory, "a", 100);
      } catch (IllegalArgumentException e) {
        refused.add(type);
        assertTrue(
            e.toString(),
            String.valueOf(e.getMessage())
                .startsWith(
                    "store type [" + type.key + "] is not allowed because mmap is disabled"));
      }
    }
    assertEquals(EnumSet.of(StoreType.HYBRID, StoreType.MAPPED, StoreType.NRT), refused);
    plugin.close();
  }

  /** All shards of a node share the memory; the limit follows the cluster's settings. */
  public void testBudget() throws IOException {
    String key = DirectoriesPlugin.RAM_SIZE.getKey();
    DirectoriesPlugin plugin = plugin(key, "8mb");
    ClusterSettings cluster = cluster(plugin, of(key, "8mb"));
    plugin.follow(cluster, Runnable::run);
    Path root = createTempDir();
    try (Directory first = TestShards.open(plugin, StoreType.RAM, root, 0);
        Directory second = TestShards.open(plugin, StoreType.RAM, root, 1)) {
      write(first, "a", 5 * MIB);
      IOException e = expectThrows(IOException.class, () -> write(second, "b", 5 * MIB));
      assertTrue(
          e.toString(),
          String.valueOf(e.getMessage())
              .contains("directories_ram [index][1] within directories.ram.size of the node;"));
      cluster.applySettings(of(key, "64mb"));
      write(second, "c", 5 * MIB);
      assertEquals(5 * MIB, second.fileLength("c"));
    }
    assertEquals(0, plugin.shards.memory.ram().usedBytes());
    plugin.close();
  }

  private static void index(Directory directory, int documents) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int i = 0; i < documents; i++) {
        writer.addDocument(new Document());
      }
    }
  }

  private static int count(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }

  /** Not when it is opened: the thread that does that must not wait. */
  public void testLoadsAtFirstUse() throws IOException {
    DirectoriesPlugin plugin = plugin();
    RamBudget ram = plugin.shards.memory.ram();
    Path root = createTempDir();
    int documents = between(1, 100);
    try (Directory directory = TestShards.open(plugin, StoreType.RAM, root, 0)) {
      index(directory, documents);
    }
    try (Directory directory = TestShards.open(plugin, StoreType.RAM, root, 0)) {
      ShardStatistics shard = plugin.shards.statistics(node(), STATISTICS).shards.getFirst();
      assertTrue("" + shard.files(), shard.files() > 0);
      assertEquals(0, ram.usedBytes());
      assertEquals(documents, count(directory));
      assertTrue(ram.usedBytes() > 0);
    }
    Directory unused = TestShards.open(plugin, StoreType.RAM, root, 0);
    unused.close();
    expectThrows(AlreadyClosedException.class, unused::listAll);
    assertEquals(0, ram.usedBytes());
    plugin.close();
  }

  /** The node finds the damage and recovers the shard, as with its own types. */
  public void testDamagedFiles() throws IOException {
    Path root = createTempDir();
    DirectoriesPlugin plugin = plugin();
    try (Directory directory = TestShards.open(plugin, StoreType.RAM, root, 0)) {
      index(directory, 10);
    }
    Path files = TestShards.path(root, 0).resolveIndex();
    for (boolean deleted : new boolean[] {false, true}) {
      Path file = files.resolve("_0.si");
      if (deleted) {
        Files.delete(file);
      } else {
        byte[] bytes = Files.readAllBytes(file);
        bytes[between(0, bytes.length - 1)] ^= 1;
        Files.write(file, bytes);
      }
      try (Directory directory = TestShards.open(plugin, StoreType.RAM, root, 0)) {
        assertEquals(!deleted, List.of(directory.listAll()).contains("_0.si"));
        StatisticsAction.Request how = new StatisticsAction.Request("index", 0, "segments_1");
        assertEquals(
            List.of("segments_1: read by positions"),
            plugin.shards.statistics(node(), how).answers);
        expectThrows(IOException.class, () -> count(directory));
        assertEquals(0, plugin.shards.memory.ram().usedBytes());
      }
    }
    try (Directory directory = TestShards.open(plugin, StoreType.RAM, root, 0)) {
      for (String name : directory.listAll()) {
        directory.deleteFile(name);
      }
      index(directory, 20);
      assertEquals(20, count(directory));
    }
    plugin.close();
  }

  /** An index that does not fit is an error, not a shard that is read from disk. */
  public void testTooLargeToLoad() throws IOException {
    Path root = createTempDir();
    DirectoriesPlugin plugin = plugin();
    try (Directory directory = TestShards.open(plugin, StoreType.RAM, root, 0)) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        Document document = new Document();
        document.add(new StoredField("bytes", randomByteArrayOfLength(2 * MIB)));
        writer.addDocument(document);
      }
    }
    plugin.close();
    DirectoriesPlugin small = plugin(DirectoriesPlugin.RAM_SIZE.getKey(), "1mb");
    try (Directory directory = TestShards.open(small, StoreType.RAM, root, 0)) {
      for (int i = 0; i < 2; i++) {
        IOException e = expectThrows(IOException.class, directory::listAll);
        assertTrue(
            e.toString(),
            String.valueOf(e.getMessage()).contains("within directories.ram.size of the node;"));
        assertEquals(0, small.shards.memory.ram().usedBytes());
      }
      small.shards.memory.ram().setMaxBytes(8 * MIB);
      assertEquals(1, count(directory));
    }
    small.close();
  }

  /** The node casts it. */
  public void testFolderBesideTheFiles() throws IOException {
    DirectoriesPlugin plugin = plugin();
    for (StoreType type : StoreType.values()) {
      Path folder = createTempDir().resolve("index/child");
      try (Directory directory =
          TestShards.factory(plugin, type)
              .newFSDirectory(folder, NativeFSLockFactory.INSTANCE, TestShards.settings(type))) {
        assertTrue(directory instanceof FSDirectory);
        write(directory, "a", 100);
        assertTrue(Files.exists(folder.resolve("a")));
      }
    }
    plugin.close();
  }

  /** Statistics name what is there, survive the way between nodes, and forget closed shards. */
  public void testStatistics() throws IOException {
    DirectoriesPlugin plugin = plugin("directories.cache.size", "4mb");
    for (StoreType type : StoreType.values()) {
      int bytes = randomIntBetween(1, 3 * MIB);
      try (Directory directory = TestShards.open(plugin, type, createTempDir(), 3)) {
        write(directory, "_0.fdt", bytes);
        write(directory, "_0.si", 10);
        NodeStatistics node = copy(plugin.shards.statistics(node(), STATISTICS));
        assertEquals(1, node.shards.size());
        ShardStatistics shard = node.shards.get(0);
        assertEquals(type.key, shard.type());
        assertEquals(3, shard.shard().id());
        assertEquals(2, shard.files());
        assertEquals(bytes + 10, shard.bytes());
        assertEquals(type == StoreType.RAM, shard.ramBytes() >= bytes && type != StoreType.NRT);
        String text = json(node);
        assertTrue(text, text.contains("\"type\":\"" + type.key + "\",\"files\":2,\"bytes\":"));
        StatisticsAction.Request question = new StatisticsAction.Request("index", 3, "_0.fdt");
        String answer = plugin.shards.statistics(node(), question).answers.get(0);
        assertTrue(answer, answer.startsWith("_0.fdt: "));
        assertEquals(
            answer,
            type == StoreType.HYBRID,
            answer.contains("MAPPED") || answer.contains("POSITIONAL"));
        for (String wrong : List.of("_0.fdx", "../_0.fdt")) {
          question = new StatisticsAction.Request("index", 3, wrong);
          answer = plugin.shards.statistics(node(), question).answers.getFirst();
          assertTrue(answer, answer.contains(wrong));
        }
      }
      assertEquals(List.of(), plugin.shards.statistics(node(), STATISTICS).shards);
      assertEquals(Set.of(), plugin.shards.open);
    }
    assertTrue(
        json(plugin.shards.statistics(node(), STATISTICS)).contains("\"max_bytes\":4194304"));
    plugin.close();
  }

  private static NodeStatistics copy(NodeStatistics node) throws IOException {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      node.writeTo(out);
      return new NodeStatistics(out.bytes().streamInput());
    }
  }

  private static String json(NodeStatistics node) throws IOException {
    try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
      builder.startObject();
      node.toXContent(builder, ToXContent.EMPTY_PARAMS);
      return builder.endObject().toString();
    }
  }

  /** The image is beside the files' folder, where a recovery does not delete it. */
  public void testWarmStart() throws IOException {
    for (StoreType type : StoreType.values()) {
      for (boolean on : new boolean[] {true, false}) {
        DirectoriesPlugin plugin = plugin("directories.warm_start.enabled", "" + on);
        Path root = createTempDir();
        try (Directory directory = TestShards.open(plugin, type, root, 0)) {
          write(directory, "_0.fdt", 50_000);
        }
        Path image = TestShards.path(root, 0).getDataPath().resolve(ShardDirectory.IMAGE);
        assertEquals(type.key, on && type != StoreType.RAM, Files.exists(image));
        plugin.close();
      }
    }
  }

  /** A change holds for open shards, and the thread that applies it does not wait for them. */
  public void testWarmStartIsChanged() throws IOException {
    String key = DirectoriesPlugin.WARM_START.getKey();
    DirectoriesPlugin plugin = plugin(key, "true");
    ClusterSettings cluster = cluster(plugin, of(key, "true"));
    List<Runnable> later = new ArrayList<>();
    plugin.follow(cluster, later::add);
    Path root = createTempDir();
    Path image = TestShards.path(root, 0).getDataPath().resolve(ShardDirectory.IMAGE);
    try (Directory directory = TestShards.open(plugin, StoreType.HYBRID, root, 0)) {
      write(directory, "_0.fdt", 50_000);
      cluster.applySettings(of(key, "false"));
      assertFalse(Files.exists(image));
      later.removeFirst().run();
      assertTrue(Files.exists(image));
      Files.delete(image);
      // The later of two changes holds, even if they are taken up in another order.
      cluster.applySettings(of(key, "true"));
      cluster.applySettings(of(key, "false"));
      later.removeLast().run();
      later.removeFirst().run();
    }
    assertFalse(Files.exists(image));
    plugin.close();
  }

  /** Formats that are not Lucene's put files into other folders, under names with slashes. */
  public void testNamesWithSlashes() throws IOException {
    DirectoriesPlugin plugin = plugin();
    Path root = createTempDir();
    int shard = 0;
    for (StoreType type : StoreType.values()) {
      shard++;
      try (Directory directory = TestShards.open(plugin, type, root, shard)) {
        expectThrows(IllegalArgumentException.class, () -> write(directory, "other/file", 10));
      }
    }
    plugin.close();
  }

  /** A node takes all settings in the manifests, and refuses one that is not known. */
  public void testManifests() throws IOException {
    Path folder = Path.of(System.getProperty("manifests"));
    Pattern entry =
        Pattern.compile("[{ ](?:name: )?([a-z_]+\\.[a-z_.]+)(?:: |, value(?:From)?: )([^\\n}]+)");
    for (String file : List.of("compose.yaml", "kubernetes.yaml")) {
      Map<String, String> found = new HashMap<>();
      Matcher matcher = entry.matcher(Files.readString(folder.resolve(file)));
      while (matcher.find()) {
        found.put(matcher.group(1), matcher.group(2).replace("\"", ""));
      }
      Settings settings = Settings.EMPTY;
      for (Map.Entry<String, String> setting : found.entrySet()) {
        settings =
            Settings.builder().put(settings).put(setting.getKey(), setting.getValue()).build();
      }
      assertEquals(file + settings, 7, settings.size());
      assertTrue(StoreType.of(settings.get("index.store.type")).isPresent());
      DirectoriesPlugin plugin = new DirectoriesPlugin(settings);
      Setting<?>[] own = plugin.getSettings().toArray(Setting[]::new);
      assertNotNull(new SettingsModule(settings, own));
      Settings unknown = Settings.builder().put(settings).put("directories.unknown", true).build();
      expectThrows(SettingsException.class, () -> new SettingsModule(unknown, own));
      plugin.close();
    }
  }

  /** A node's readers are searched by their segments' vectors, and the node finds its shard. */
  public void testVectorPrefetch() throws IOException {
    DirectoriesPlugin plugin = plugin();
    ShardId shard = TestShards.path(createTempDir(), 0).getShardId();
    try (Directory directory = TestShards.open(plugin, StoreType.HYBRID, createTempDir(), 0)) {
      IndexWriterConfig config = new IndexWriterConfig().setCodec(TestUtil.getDefaultCodec());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 500; i++) {
          Document document = new Document();
          document.add(new KnnFloatVectorField("vector", new float[] {i, 1}, EUCLIDEAN));
          writer.addDocument(document);
        }
      }
      AtomicInteger known = new AtomicInteger();
      try (DirectoryReader reader =
          OpenSearchDirectoryReader.wrap(
              new CountingReader(DirectoryReader.open(directory), known), shard)) {
        DirectoryReader prefetching = DirectoriesPlugin.prefetching(reader);
        assertSame(reader, OpenSearchDirectoryReader.getOpenSearchDirectoryReader(prefetching));
        assertEquals(shard, ShardUtils.extractShardId(prefetching.leaves().getFirst().reader()));
        int before = known.get();
        Query query = new KnnFloatVectorQuery("vector", new float[] {77, 1}, 3);
        TopDocs hits = new IndexSearcher(prefetching).search(query, 3);
        int fields = TestShards.PREFETCHES ? 1 : 0;
        assertEquals("fields whose vectors are known", fields, known.get() - before);
        TopDocs plain = new IndexSearcher(reader).search(query, 3);
        assertEquals(fields, known.get() - before);
        CheckHits.checkEqual(query, plain.scoreDocs, hits.scoreDocs);
      }
    }
    plugin.close();
  }

  /** An index's reader wrapper is taken only where it prefetches, and if it is free. */
  public void testReaderWrapper() {
    for (StoreType type : StoreType.values()) {
      for (boolean on : new boolean[] {true, false}) {
        DirectoriesPlugin plugin = plugin(DirectoriesPlugin.VECTOR_PREFETCH.getKey(), "" + on);
        IndexModule module =
            new IndexModule(
                TestShards.settings(type),
                null,
                new InternalEngineFactory(),
                new EngineConfigFactory(TestShards.settings(type)),
                Map.of(),
                () -> true,
                null,
                Map.of());
        plugin.onIndexModule(module);
        boolean taken = false;
        try {
          module.setReaderWrapper(_ -> reader -> reader);
        } catch (SetOnce.AlreadySetException _) {
          taken = true;
        }
        assertEquals(on && TestShards.PREFETCHES, taken);
        plugin.onIndexModule(module);
        plugin.close();
      }
    }
  }

  /** Counts who waits for a segment to be closed, as who knows its vectors does. */
  private static final class CountingReader extends FilterDirectoryReader {
    private final AtomicInteger count;

    CountingReader(DirectoryReader in, AtomicInteger count) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader leaf) {
              return new CountingSegment((CodecReader) leaf, count);
            }
          });
      this.count = count;
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader reopened) throws IOException {
      return new CountingReader(reopened, count);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class CountingSegment extends FilterCodecReader {
    private final AtomicInteger count;

    CountingSegment(CodecReader in, AtomicInteger count) {
      super(in);
      this.count = count;
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      CacheHelper core = in.getCoreCacheHelper();
      return new CacheHelper() {
        @Override
        public IndexReader.CacheKey getKey() {
          return core.getKey();
        }

        @Override
        public void addClosedListener(IndexReader.ClosedListener listener) {
          count.incrementAndGet();
          core.addClosedListener(listener);
        }
      };
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
