package io.github.lucenedirectories.benchmarks.nrt;

import java.io.Closeable;
import java.io.IOException;
import org.HdrHistogram.SynchronizedHistogram;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;

/**
 * Lucene's SearcherManager, with the time measured that it takes to close an old reader. That falls
 * to whichever thread releases it last: the reopening one, or one that searched. Any thread may use
 * it.
 */
final class Searchers implements Closeable {
  private final SearcherManager manager;
  private final Window window;
  private final SynchronizedHistogram closes = new SynchronizedHistogram(NrtRun.DIGITS);

  Searchers(IndexWriter writer, Window window) throws IOException {
    this.manager = new SearcherManager(writer, new OpenSearcher.Factory());
    this.window = window;
  }

  OpenSearcher acquire() throws IOException {
    IndexSearcher searcher = manager.acquire();
    return (OpenSearcher) searcher;
  }

  void release(OpenSearcher searcher) throws IOException {
    long start = window.now();
    manager.release(searcher);
    if (searcher.wasClosedHere() && window.holds(start)) {
      closes.recordValue(window.now() - start);
    }
  }

  void refresh() throws IOException {
    manager.maybeRefreshBlocking();
  }

  /** Nanoseconds of each close of an old reader. */
  SynchronizedHistogram closes() {
    return closes;
  }

  @Override
  public void close() throws IOException {
    manager.close();
  }
}
