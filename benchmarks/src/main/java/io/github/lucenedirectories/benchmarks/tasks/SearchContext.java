// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.lucene.facet.StringDocValuesReaderState;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.jspecify.annotations.Nullable;

/**
 * What one searching thread needs for its queries: a searcher without a query cache, a highlighter,
 * the ordinal maps that a count by label needs once for each reader, and which documents it draws.
 * The reader is the caller's to close.
 */
public final class SearchContext {
  @SuppressWarnings("unused") // written, so that no part of a search can be optimised away
  private @Nullable Object found;

  private final IndexSearcher searcher;
  private final boolean announces;
  private final boolean announcesHits;
  private SplittableRandom random = new SplittableRandom(0);
  private final UnifiedHighlighter highlighter;
  private final Map<String, StringDocValuesReaderState> labels = new HashMap<>();

  public SearchContext(IndexReader reader) {
    this(new IndexSearcher(reader), false, false);
  }

  /**
   * A context in which pages of documents may be announced by {@code StoredFields.prefetch}.
   *
   * @param announces whether those that are drawn are
   * @param announcesHits whether those that a query found are
   */
  public SearchContext(IndexSearcher searcher, boolean announces, boolean announcesHits) {
    this.searcher = searcher;
    this.announces = announces;
    this.announcesHits = announcesHits;
    searcher.setQueryCache(null);
    highlighter = UnifiedHighlighter.builder(searcher, Fields.analyzer()).build();
  }

  IndexSearcher searcher() {
    return searcher;
  }

  boolean announces() {
    return announces;
  }

  boolean announcesHits() {
    return announcesHits;
  }

  /** Decides which documents are drawn from now on. */
  public void seed(long seed) {
    random = new SplittableRandom(seed);
  }

  /** So many documents, each as likely as any other of the index. */
  int[] draw(int count) {
    return random.ints(count, 0, searcher.getIndexReader().maxDoc()).toArray();
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
