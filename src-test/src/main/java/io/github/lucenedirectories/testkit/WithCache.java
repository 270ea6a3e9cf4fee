package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** A directory together with its cache, which it does not close itself. */
final class WithCache extends FilterDirectory {

  private final BlockCache cache;

  private WithCache(Directory directory, BlockCache cache) {
    super(directory);
    this.cache = cache;
  }

  /** Opens a directory over another one, with a cache that is closed with it. */
  static Directory open(Directory delegate, BlockCache.Builder options) throws IOException {
    BlockCache cache;
    try {
      cache = options.build();
    } catch (Throwable e) {
      try (delegate) {
        throw e;
      }
    }
    return new WithCache(new BlockCacheDirectory(delegate, cache), cache);
  }

  @Override
  public void close() throws IOException {
    try (cache) {
      super.close();
    }
  }
}
