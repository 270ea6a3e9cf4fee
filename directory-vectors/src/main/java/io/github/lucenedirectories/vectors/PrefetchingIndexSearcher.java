// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches the vectors of all candidates of a {@link org.apache.lucene.search.RescoreTopNQuery},
 * over all segments, before the first one is scored, and the stored documents of the hits when the
 * searching thread reads the first one. Everything else is as in {@link IndexSearcher}.
 */
@SuppressWarnings("exports") // of the annotation Nullable
public class PrefetchingIndexSearcher extends IndexSearcher {

  /** As {@link #PrefetchingIndexSearcher(IndexReader, Executor)} without an executor. */
  public PrefetchingIndexSearcher(IndexReader reader) {
    this(reader, null);
  }

  /**
   * Searches a reader.
   *
   * @param reader of {@link PrefetchingDirectoryReader#wrap}, wrapped again or not
   * @param executor as for {@link IndexSearcher}
   * @throws IllegalArgumentException if the reader is not one of {@link PrefetchingDirectoryReader}
   */
  public PrefetchingIndexSearcher(IndexReader reader, @Nullable Executor executor) {
    super(reader, executor);
    if (reader.leaves().stream()
        .anyMatch(leaf -> PrefetchingLeafReader.find(leaf.reader()) == null)) {
      throw new IllegalArgumentException(
          "reader does not prefetch: open it with PrefetchingDirectoryReader.wrap(reader)");
    }
  }

  @Override
  public Query rewrite(Query original) throws IOException {
    Candidates candidates = Candidates.begin(getLeafContexts());
    try {
      return super.rewrite(original);
    } finally {
      candidates.end();
    }
  }

  @Override
  public Weight createWeight(Query query, ScoreMode scoreMode, float boost) throws IOException {
    Weight weight = super.createWeight(query, scoreMode, boost);
    Candidates.note(weight, getLeafContexts());
    return weight;
  }

  /** Prefetches the stored documents of the hits, if it returns some, once one of them is read. */
  @Override
  public <C extends Collector, T> T search(Query query, CollectorManager<C, T> collectorManager)
      throws IOException {
    T result = super.search(query, collectorManager);
    Hits.note(getTopReaderContext(), result);
    return result;
  }
}
