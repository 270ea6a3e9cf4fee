package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.ram.BlockCache;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOFunction;

/** A directory together with its cache, which it does not close itself. */
final class WithCache extends FilterDirectory {

  private final BlockCache cache;

  private WithCache(Directory directory, BlockCache cache) {
    super(directory);
    this.cache = cache;
  }

  /** Opens a directory with a cache that is closed with it. */
  static Directory open(BlockCache.Builder options, IOFunction<BlockCache, Directory> directory)
      throws IOException {
    BlockCache cache = options.build();
    try {
      return new WithCache(directory.apply(cache), cache);
    } catch (Throwable e) {
      try (cache) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (cache) {
      super.close();
    }
  }
}
