package io.github.lucenedirectories.benchmarks.live;

import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import java.io.Closeable;
import java.io.IOException;
import org.HdrHistogram.SynchronizedHistogram;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;

/**
 * Lucene's SearcherManager, with the time measured that it takes to close an old reader. That falls
 * to whichever thread releases it last: the reopening one, or one that searched. Any thread may use
 * it.
 */
public final class Searchers implements Closeable {
  private final SearcherManager manager;
  private final Window window;
  private final SynchronizedHistogram closes = new SynchronizedHistogram(EncodedHistogram.DIGITS);

  /** Over what a writer has written. */
  public Searchers(IndexWriter writer, Window window) throws IOException {
    this(new SearcherManager(writer, new OpenSearcher.Factory()), window);
  }

  /** Over the last commit of an index that nobody writes to. */
  public Searchers(Directory directory, Window window) throws IOException {
    this(new SearcherManager(directory, new OpenSearcher.Factory()), window);
  }

  private Searchers(SearcherManager manager, Window window) {
    this.manager = manager;
    this.window = window;
  }

  /** The current one; give it back by {@link #release}. */
  public OpenSearcher acquire() throws IOException {
    IndexSearcher searcher = manager.acquire();
    return (OpenSearcher) searcher;
  }

  /** Gives one back; may close its reader. */
  public void release(OpenSearcher searcher) throws IOException {
    long start = window.now();
    manager.release(searcher);
    if (searcher.wasClosedHere() && window.holds(start)) {
      closes.recordValue(window.now() - start);
    }
  }

  /** Opens what is new. */
  public void refresh() throws IOException {
    manager.maybeRefreshBlocking();
  }

  /** Nanoseconds of each close of an old reader. */
  public SynchronizedHistogram closes() {
    return closes;
  }

  @Override
  public void close() throws IOException {
    manager.close();
  }
}
