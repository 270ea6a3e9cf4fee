package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** A directory through a block cache of its own, which is closed with it. */
final class OwnCacheDirectory extends FilterDirectory {

  /** Of the index: the last block of each file is not full. */
  private static final double SHARE = 1.1;

  private final BlockCache cache;

  private OwnCacheDirectory(Directory directory, BlockCache cache) {
    super(directory);
    this.cache = cache;
  }

  /** Opens a cache that all of a directory's files fit in. */
  static Directory open(Directory files) throws IOException {
    BlockCache cache = BlockCache.builder().capacityShareOf(files, SHARE).build();
    return new OwnCacheDirectory(new BlockCacheDirectory(files, cache), cache);
  }

  @Override
  public void close() throws IOException {
    try (cache) {
      super.close();
    }
  }
}
