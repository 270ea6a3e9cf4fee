package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.facet.StringDocValuesReaderState;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;

/**
 * What one searching thread needs besides its query: a searcher without a query cache, a
 * highlighter, and the ordinal maps that a count by label needs once for each reader. The reader is
 * the caller's to close.
 */
public final class SearchContext {
  @SuppressWarnings("unused") // written so that what was found is in use
  private long found;

  private final IndexSearcher searcher;
  private final UnifiedHighlighter highlighter;
  private final Map<String, StringDocValuesReaderState> labels = new HashMap<>();

  public SearchContext(IndexReader reader) {
    searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    highlighter = UnifiedHighlighter.builder(searcher, Fields.analyzer()).build();
  }

  IndexSearcher searcher() {
    return searcher;
  }

  UnifiedHighlighter highlighter() {
    return highlighter;
  }

  /** The labels of a field and, of several segments, the map from their ordinals to all labels. */
  StringDocValuesReaderState labels(String field) throws IOException {
    StringDocValuesReaderState state = labels.get(field);
    if (state == null) {
      state = new StringDocValuesReaderState(searcher.getIndexReader(), field);
      labels.put(field, state);
    }
    return state;
  }

  /** Runs a task. What it finds is added up, so that no part of its work can be left out. */
  public void run(Task task) throws IOException {
    found += task.run(this);
  }
}
