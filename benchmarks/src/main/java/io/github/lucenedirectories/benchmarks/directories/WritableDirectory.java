package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;

/**
 * The directories that a workload which writes can compare, each with the way to make a new one.
 */
public enum WritableDirectory {
  MMAP("MMapDirectory", (folder, cache) -> new MMapDirectory(folder)),
  NIOFS("NIOFSDirectory", (folder, cache) -> new NIOFSDirectory(folder)),
  BYTE_BUFFERS("ByteBuffersDirectory", (folder, cache) -> new ByteBuffersDirectory()),

  /** Lucene's cache of new files, over Lucene's mapping. */
  NRT_CACHING(
      "NRTCachingDirectory",
      (folder, cache) ->
          new NRTCachingDirectory(
              new MMapDirectory(folder), cache.maxMergeMegabytes(), cache.maxCachedMegabytes())),
  MAPPED("MappedDirectory", (folder, cache) -> new MappedDirectory(folder)),
  HYBRID("HybridDirectory", (folder, cache) -> new HybridDirectory(folder)),
  NIO("NioDirectory", (folder, cache) -> new NioDirectory(folder)),
  RAM("RamDirectory", (folder, cache) -> new RamDirectory()),

  /** Commits go through to files; everything else stays in memory. */
  RAM_BACKED("RamDirectory-backed", (folder, cache) -> BackedRamDirectory.open(folder)),

  /** In pools of its own, which are in memory wherever they can be. */
  PMEM("PmemDirectory", (folder, cache) -> MemoryDirectory.pools()),

  /** Our cache of new files, over our mapping. */
  NRT_CACHE(
      "NrtCacheDirectory",
      (folder, cache) ->
          new NrtCacheDirectory(
              new MappedDirectory(folder), cache.maxMergeMegabytes(), cache.maxCachedMegabytes())),

  /** Lucene's cache over positional reads. */
  NRT_CACHING_NIOFS(
      "NRTCachingDirectory-NIOFS",
      (folder, cache) ->
          new NRTCachingDirectory(
              new NIOFSDirectory(folder), cache.maxMergeMegabytes(), cache.maxCachedMegabytes())),

  /** Ours over positional reads. */
  NRT_CACHE_NIO(
      "NrtCacheDirectory-Nio",
      (folder, cache) ->
          new NrtCacheDirectory(
              new NioDirectory(folder), cache.maxMergeMegabytes(), cache.maxCachedMegabytes())),

  /** Lucene's mapping in the place of the pools, beside which it shows what they change. */
  MMAP_PMEM("MMapDirectory-pmem", (folder, cache) -> MemoryDirectory.mapped());

  private static final Set<WritableDirectory> ONLY_BY_NAME =
      EnumSet.of(NRT_CACHING_NIOFS, NRT_CACHE_NIO, MMAP_PMEM);

  private interface Maker {
    Directory make(Path folder, CacheSize cache) throws IOException;
  }

  private final String label;
  private final Maker maker;

  WritableDirectory(String label, Maker maker) {
    this.label = label;
    this.maker = maker;
  }

  /** The name on the command line and in every report. */
  public String label() {
    return label;
  }

  /** Whether it may hold a whole index on the Java heap. */
  public boolean usesHeap() {
    return this == BYTE_BUFFERS;
  }

  /**
   * An empty directory. The caller closes it.
   *
   * @param folder does not exist, or is empty; the directories in memory and in pools leave it
   *     alone
   */
  public Directory create(Path folder, CacheSize cache) throws IOException {
    return maker.make(folder, cache);
  }

  /** Those that are compared unless the user names others, in the order of a report. */
  public static List<String> defaultLabels() {
    return EnumSet.complementOf(EnumSet.copyOf(ONLY_BY_NAME)).stream()
        .map(WritableDirectory::label)
        .toList();
  }

  /**
   * The directory of a name.
   *
   * @throws UsageException if there is none, naming all there are
   */
  public static WritableDirectory named(String name) {
    return DirectoryNames.find(name, values(), WritableDirectory::label);
  }
}
