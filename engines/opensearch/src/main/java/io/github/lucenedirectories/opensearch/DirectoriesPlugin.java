// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import com.sun.management.OperatingSystemMXBean;
import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.Version;
import org.opensearch.action.ActionRequest;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.SetOnce;
import org.opensearch.common.lucene.index.OpenSearchLeafReader;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.common.unit.RatioValue;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.ShardPath;
import org.opensearch.index.store.FsDirectoryFactory;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.IndexStorePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Adds the {@linkplain StoreType store types} to a node, with the memory that their shards share.
 *
 * <p>The allocator of a cluster opens the files of a shard with Lucene's {@code NIOFSDirectory},
 * past this plugin. So every type keeps commits as plain files in the shard's folder, and there is
 * none for persistent memory.
 */
public final class DirectoriesPlugin extends Plugin implements IndexStorePlugin, ActionPlugin {

  private static final Logger LOG = LogManager.getLogger(DirectoriesPlugin.class);

  /**
   * Memory of the block cache that all shards of type {@code directories_cached} of a node share,
   * in bytes or as a share of the machine's or container's memory; by default 10%. Fixed while the
   * node runs.
   */
  public static final Setting<ByteSizeValue> CACHE_SIZE =
      memorySetting("directories.cache.size", "10%");

  /**
   * The most memory of all shards of type {@code directories_ram} of a node, in bytes or as a share
   * of the machine's or container's memory; by default 25%. Dynamic: a lower value fails the next
   * writes, and frees nothing.
   */
  public static final Setting<ByteSizeValue> RAM_SIZE =
      memorySetting("directories.ram.size", "25%", Setting.Property.Dynamic);

  /**
   * Whether vector searches prefetch; by default not. Dynamic: turned on, it holds for indexes that
   * are opened from then on. An index has one reader wrapper: the plugin takes it only while this
   * is on, and another plugin that takes it too makes the index fail to open. On Lucene before 10.5
   * it has no effect but a warning in the log.
   */
  public static final Setting<Boolean> VECTOR_PREFETCH =
      Setting.boolSetting(
          "directories.vector_prefetch.enabled",
          false,
          Setting.Property.NodeScope,
          Setting.Property.Dynamic);

  /**
   * In which indexes the stored fields of all hits of a page are prefetched before the node fetches
   * them one by one: in those of this plugin's store types ({@code own}, the default), in {@code
   * all}, or in {@code none}. Dynamic.
   */
  public static final Setting<Fetched> FETCH_PREFETCH =
      new Setting<>(
          "directories.fetch_prefetch",
          "own",
          Fetched::of,
          Setting.Property.NodeScope,
          Setting.Property.Dynamic);

  /** The indexes whose documents are prefetched, a value of {@link #FETCH_PREFETCH}. */
  public enum Fetched {
    /** Those of this plugin's store types. */
    OWN,
    ALL,
    NONE;

    static Fetched of(String value) {
      return Arrays.stream(values())
          .filter(fetched -> fetched.name().toLowerCase(Locale.ROOT).equals(value))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "directories.fetch_prefetch must be own, all or none: " + value));
    }

    boolean includes(boolean own) {
      return this == ALL || (own && this == OWN);
    }
  }

  /**
   * Whether shards remember which pages or blocks are in memory, and load them when they are opened
   * again; by default not. Dynamic, also for open shards.
   */
  public static final Setting<Boolean> WARM_START =
      Setting.boolSetting(
          "directories.warm_start.enabled",
          false,
          Setting.Property.NodeScope,
          Setting.Property.Dynamic);

  private final boolean mayMap;
  private final NodeMemory memory;
  final Shards shards;
  private volatile boolean prefetches;
  private volatile Fetched fetched;

  /** Called by the node, with its settings. */
  public DirectoriesPlugin(Settings settings) {
    mayMap = IndexModule.NODE_STORE_ALLOW_MMAP.get(settings);
    memory = new NodeMemory(CACHE_SIZE.get(settings).getBytes(), RAM_SIZE.get(settings).getBytes());
    shards = new Shards(memory, WARM_START.get(settings));
    prefetch(VECTOR_PREFETCH.get(settings));
    fetched = FETCH_PREFETCH.get(settings);
  }

  private static Setting<ByteSizeValue> memorySetting(
      String key, String byDefault, Setting.Property... more) {
    Setting.Property[] properties = Arrays.copyOf(more, more.length + 1);
    properties[more.length] = Setting.Property.NodeScope;
    return new Setting<>(key, byDefault, value -> memoryOf(key, value), properties);
  }

  private static ByteSizeValue memoryOf(String key, String value) {
    ByteSizeValue size;
    if (value.endsWith("%")) {
      OperatingSystemMXBean system =
          (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      double ratio = RatioValue.parseRatioValue(value).getAsRatio();
      size = new ByteSizeValue((long) (ratio * system.getTotalMemorySize()));
    } else {
      size = ByteSizeValue.parseBytesSizeValue(value, key);
    }
    if (size.getBytes() < 1 << 20) {
      throw new IllegalArgumentException(key + " must be at least 1mb: " + value);
    }
    return size;
  }

  @Override
  public List<Setting<?>> getSettings() {
    return List.of(CACHE_SIZE, RAM_SIZE, VECTOR_PREFETCH, FETCH_PREFETCH, WARM_START);
  }

  @Override
  public Collection<Object> createComponents(
      Client client,
      ClusterService clusterService,
      ThreadPool threadPool,
      ResourceWatcherService resourceWatcherService,
      ScriptService scriptService,
      NamedXContentRegistry xContentRegistry,
      Environment environment,
      NodeEnvironment nodeEnvironment,
      NamedWriteableRegistry namedWriteableRegistry,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<RepositoriesService> repositoriesServiceSupplier) {
    follow(clusterService.getClusterSettings(), threadPool.generic());
    return List.of(shards);
  }

  void follow(ClusterSettings settings, Executor executor) {
    settings.addSettingsUpdateConsumer(RAM_SIZE, size -> memory.ram().setMaxBytes(size.getBytes()));
    settings.addSettingsUpdateConsumer(VECTOR_PREFETCH, this::prefetch);
    settings.addSettingsUpdateConsumer(FETCH_PREFETCH, now -> fetched = now);
    settings.addSettingsUpdateConsumer(WARM_START, on -> shards.warmStart(on, executor));
  }

  private void prefetch(boolean on) {
    boolean can = Version.LATEST.onOrAfter(Version.fromBits(10, 5, 0));
    prefetches = on && can;
    if (on && !can) {
      LOG.warn(
          "{} has no effect: it needs Lucene 10.5 or newer, and this is {}",
          VECTOR_PREFETCH.getKey(),
          Version.LATEST);
    }
  }

  @Override
  public void onIndexModule(IndexModule module) {
    String key = IndexModule.INDEX_STORE_TYPE_SETTING.get(module.getSettings());
    Optional<StoreType> type = StoreType.of(key);
    boolean own = type.isPresent();
    module.addSearchOperationListener(new FetchPrefetch(() -> fetched.includes(own)));
    if (type.isEmpty()) {
      return;
    }
    requireAllowed(type.get());
    if (prefetches) {
      try {
        module.setReaderWrapper(_ -> reader -> prefetches ? prefetching(reader) : reader);
      } catch (SetOnce.AlreadySetException _) {
        LOG.info("vectors of {} are not prefetched: its readers are wrapped", module.getIndex());
      }
    }
  }

  /** The node's own reader of a segment only names the shard. */
  static DirectoryReader prefetching(DirectoryReader reader) throws IOException {
    return PrefetchingDirectoryReader.wrap(
        reader, leaf -> leaf instanceof OpenSearchLeafReader named ? named.getDelegate() : leaf);
  }

  /** As the node does for its own types. */
  private void requireAllowed(StoreType type) {
    if (type.maps && !mayMap) {
      throw new IllegalArgumentException(
          "store type ["
              + type.key
              + "] is not allowed because mmap is disabled; take ["
              + StoreType.NIO.key
              + "], or set node.store.allow_mmap");
    }
  }

  @Override
  public Map<String, DirectoryFactory> getDirectoryFactories() {
    return Arrays.stream(StoreType.values())
        .collect(Collectors.toMap(type -> type.key, Factory::new));
  }

  private final class Factory implements DirectoryFactory {
    private final StoreType type;

    Factory(StoreType type) {
      this.type = type;
    }

    @Override
    public Directory newDirectory(IndexSettings index, ShardPath path) throws IOException {
      FSDirectory files =
          newFSDirectory(
              path.resolveIndex(),
              index.getValue(FsDirectoryFactory.INDEX_LOCK_FACTOR_SETTING),
              index);
      return shards.add(new ShardDirectory(type, path, files, shards));
    }

    /** A folder of its own beside the shard's files; the node casts it to {@code FSDirectory}. */
    @Override
    public FSDirectory newFSDirectory(Path folder, LockFactory locks, IndexSettings index)
        throws IOException {
      requireAllowed(type);
      Files.createDirectories(folder);
      return Privileged.call(() -> type.files(folder, locks, index));
    }
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    return List.of(
        new ActionHandler<>(StatisticsAction.INSTANCE, StatisticsAction.Transport.class));
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings settings,
      RestController restController,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexScopedSettings,
      SettingsFilter settingsFilter,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<DiscoveryNodes> nodesInCluster) {
    return RestHandlers.all();
  }

  @Override
  public void close() {
    memory.close();
  }
}
