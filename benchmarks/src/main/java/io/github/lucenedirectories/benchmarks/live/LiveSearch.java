package io.github.lucenedirectories.benchmarks.live;

import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Runs queries on the current searcher, whichever that is at the moment. For one thread. */
public final class LiveSearch {
  private final Searchers searchers;
  private @Nullable OpenSearcher last;
  private @Nullable SearchContext context;

  /** On the searchers of an index. */
  public LiveSearch(Searchers searchers) {
    this.searchers = searchers;
  }

  /**
   * Runs a query; takes the current searcher for it and gives it back.
   *
   * @return a number that depends on what was found
   */
  public long run(Task task) throws IOException {
    OpenSearcher searcher = searchers.acquire();
    try {
      return task.run(contextOf(searcher));
    } finally {
      searchers.release(searcher);
    }
  }

  private SearchContext contextOf(OpenSearcher searcher) {
    SearchContext known = context;
    if (known != null && searcher == last) {
      return known;
    }
    SearchContext fresh = new SearchContext(searcher.getIndexReader());
    last = searcher;
    context = fresh;
    return fresh;
  }
}
