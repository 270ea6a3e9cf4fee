package io.github.lucenedirectories.benchmarks.live;

import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.jspecify.annotations.Nullable;

/** A searcher without a query cache that knows which thread closed its reader. */
public final class OpenSearcher extends IndexSearcher {
  private volatile @Nullable Thread closedBy;

  private OpenSearcher(IndexReader reader) {
    super(reader);
    setQueryCache(null);
    reader.getReaderCacheHelper().addClosedListener(key -> closedBy = Thread.currentThread());
  }

  /** Whether it was this thread's release that closed the reader, and not another's. */
  public boolean wasClosedHere() {
    return closedBy == Thread.currentThread();
  }

  /** Makes such searchers. */
  static final class Factory extends SearcherFactory {
    @Override
    public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous) {
      return new OpenSearcher(reader);
    }
  }
}
