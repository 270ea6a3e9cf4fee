// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockFactory;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;

/** The values of {@code index.store.type} that the plugin adds. */
enum StoreType {
  /** Maps files, and advises the kernel by the memory there is. */
  HYBRID(true, "by the memory there is"),
  /** Maps files; honours {@code index.store.preload}. */
  MAPPED(true, "mapped"),
  /** Reads files by positions. */
  NIO(false, "read by positions"),
  /** Reads files by positions through the node's block cache. */
  CACHED(false, "read by positions through the node's block cache"),
  /** As {@link #HYBRID}, with small new segments in memory until they are synced. */
  NRT(true, "by the memory there is, or in memory until it is synced"),
  /** Keeps all files in memory, and writes commits to the shard's folder. */
  RAM(false, "in memory");

  /** The defaults of Lucene's guide to near-real-time caching. */
  private static final double NRT_MERGE_MIB = 5;

  private static final double NRT_CACHE_MIB = 60;

  /** The value of the setting. */
  final String key = "directories_" + name().toLowerCase(Locale.ROOT);

  /** Whether it needs {@code node.store.allow_mmap}. */
  final boolean maps;

  /** How files are read, unless the directory itself explains it. */
  final String access;

  StoreType(boolean maps, String access) {
    this.maps = maps;
    this.access = access;
  }

  static Optional<StoreType> of(String key) {
    return Arrays.stream(values()).filter(type -> type.key.equals(key)).findFirst();
  }

  /** What is on the file system under a shard's directory, or in a folder beside it. */
  FSDirectory files(Path folder, LockFactory locks, IndexSettings index) throws IOException {
    return switch (this) {
      case HYBRID, NRT -> new HybridDirectory(folder, locks);
      case MAPPED -> mapped(folder, locks, index);
      case NIO, CACHED, RAM -> new NioDirectory(folder, locks);
    };
  }

  private static FSDirectory mapped(Path folder, LockFactory locks, IndexSettings index)
      throws IOException {
    return MappedDirectory.builder(folder)
        .lockFactory(locks)
        .preload(Set.copyOf(index.getValue(IndexModule.INDEX_STORE_PRE_LOAD_SETTING)))
        .build();
  }

  /** The directory of a shard over its files, which it closes unless it is {@link #RAM}. */
  Directory over(FSDirectory files, NodeMemory memory, String shard) throws IOException {
    return switch (this) {
      case HYBRID, MAPPED, NIO -> files;
      case CACHED -> new BlockCacheDirectory(files, memory.cache());
      case NRT -> new NrtCacheDirectory(files, NRT_MERGE_MIB, NRT_CACHE_MIB);
      case RAM ->
          RamDirectory.builder()
              .name(shard + " within " + DirectoriesPlugin.RAM_SIZE.getKey() + " of the node")
              .budget(memory.ram())
              .maxBytes(Long.MAX_VALUE)
              .backing(files)
              .build();
    };
  }
}
