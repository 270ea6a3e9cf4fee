// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.facet.StringDocValuesReaderState;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.jspecify.annotations.Nullable;

/**
 * What one searching thread needs for its queries: a searcher without a query cache, a highlighter,
 * and the ordinal maps that a count by label needs once for each reader. The reader is the caller's
 * to close.
 */
public final class SearchContext {
  @SuppressWarnings("unused") // written, so that no part of a search can be optimised away
  private @Nullable Object found;

  private final IndexSearcher searcher;
  private final UnifiedHighlighter highlighter;
  private final Map<String, StringDocValuesReaderState> labels = new HashMap<>();

  public SearchContext(IndexReader reader) {
    this(new IndexSearcher(reader));
  }

  public SearchContext(IndexSearcher searcher) {
    this.searcher = searcher;
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
    if (!labels.containsKey(field)) {
      labels.put(field, new StringDocValuesReaderState(searcher.getIndexReader(), field));
    }
    return Objects.requireNonNull(labels.get(field));
  }

  public void run(Task task) throws IOException {
    found = task.search().run(this);
  }
}
