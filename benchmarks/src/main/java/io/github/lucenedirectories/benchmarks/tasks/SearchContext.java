package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.jspecify.annotations.Nullable;

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
  private final Map<String, @Nullable OrdinalMap> ordinals = new HashMap<>();

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

  /** From each segment's ordinals to the reader's; null if the reader has one segment. */
  @Nullable OrdinalMap ordinals(String field) throws IOException {
    if (!ordinals.containsKey(field)) {
      ordinals.put(
          field,
          MultiDocValues.getSortedSetValues(searcher.getIndexReader(), field)
                  instanceof MultiDocValues.MultiSortedSetDocValues multi
              ? multi.mapping
              : null);
    }
    return ordinals.get(field);
  }

  /** Runs a task. What it finds is added up, so that no part of its work can be left out. */
  public void run(Task task) throws IOException {
    found += task.run(this);
  }
}
