// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.ShardPath;
import org.opensearch.plugins.IndexStorePlugin.DirectoryFactory;
import org.opensearch.test.IndexSettingsModule;

/** Opens directories of shards as a node does. */
final class TestShards {

  /** Whether there is what prefetching needs. */
  static final boolean PREFETCHES = Version.LATEST.onOrAfter(Version.fromBits(10, 5, 0));

  private static final String UUID = "uuid";

  private TestShards() {}

  static IndexSettings settings(StoreType type) {
    return IndexSettingsModule.newIndexSettings(
        new Index("index", UUID),
        Settings.builder().put(IndexModule.INDEX_STORE_TYPE_SETTING.getKey(), type.key).build());
  }

  static ShardPath path(Path root, int shard) {
    Path folder = root.resolve(UUID).resolve("" + shard);
    return new ShardPath(false, folder, folder, new ShardId("index", UUID, shard));
  }

  static DirectoryFactory factory(DirectoriesPlugin plugin, StoreType type) {
    return Objects.requireNonNull(plugin.getDirectoryFactories().get(type.key));
  }

  static Directory open(DirectoriesPlugin plugin, StoreType type, Path root, int shard)
      throws IOException {
    return factory(plugin, type).newDirectory(settings(type), path(root, shard));
  }
}
