package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import io.github.lucenedirectories.ram.BlockCacheStatistics;
import java.io.IOException;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** A directory through a block cache of its own, which is closed with it. */
public final class OwnCacheDirectory extends FilterDirectory implements NamedFigures {

  /** Of the index: the last block of each file is not full. */
  private static final double SHARE = 1.1;

  /** Of the memory that a page cache would have. */
  private static final double SHARE_OF_MEMORY = 0.4;

  private final BlockCache cache;
  private BlockCacheStatistics.Kind counted;

  private OwnCacheDirectory(Directory directory, BlockCache cache) {
    super(directory);
    this.cache = cache;
    this.counted = cache.statistics().total();
  }

  /** Opens a cache that all of a directory's files fit in, or as large as the memory allows. */
  static Directory open(Directory files) throws IOException {
    long bytes = 0;
    for (String name : files.listAll()) {
      bytes += files.fileLength(name);
    }
    long capacityBytes = capacityBytes(bytes, AvailableMemory.pageCacheBytes());
    return open(files, BlockCache.builder().maxBytes(capacityBytes).build());
  }

  /** Opens a cache of blocks of a length that a share of a directory's bytes fits in. */
  static Directory open(Directory files, int blockBytes, double share) throws IOException {
    return open(
        files, BlockCache.builder().blockBytes(blockBytes).maxShareOf(files, share).build());
  }

  private static Directory open(Directory files, BlockCache cache) {
    return new OwnCacheDirectory(new BlockCacheDirectory(files, cache), cache);
  }

  /**
   * How much the cache of an index holds.
   *
   * @param pageCacheBytes what a page cache would have
   */
  public static long capacityBytes(long indexBytes, long pageCacheBytes) {
    return Math.min((long) (SHARE * indexBytes), (long) (SHARE_OF_MEMORY * pageCacheBytes));
  }

  @Override
  public synchronized Map<String, Double> takeFigures() {
    BlockCacheStatistics.Kind now = cache.statistics().total();
    double hits = now.hits() - counted.hits();
    double misses = now.misses() - counted.misses();
    counted = now;
    return hits + misses == 0 ? Map.of() : Map.of("hit rate", hits / (hits + misses));
  }

  @Override
  public void close() throws IOException {
    try (cache) {
      super.close();
    }
  }
}
