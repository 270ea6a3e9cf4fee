package io.github.lucenedirectories.search;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;

/** Prefetches the vectors that a search will score, if they are not in memory. */
public final class PrefetchingDirectoryReader extends FilterDirectoryReader {

  private PrefetchingDirectoryReader(DirectoryReader in) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new PrefetchingLeafReader(reader);
          }
        });
  }

  /** Returns a reader of the same index whose vector searches prefetch. */
  public static DirectoryReader wrap(DirectoryReader in) throws IOException {
    return new PrefetchingDirectoryReader(in);
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader reopened) throws IOException {
    return new PrefetchingDirectoryReader(reopened);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class PrefetchingLeafReader extends FilterLeafReader {

    PrefetchingLeafReader(LeafReader in) {
      super(in);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
