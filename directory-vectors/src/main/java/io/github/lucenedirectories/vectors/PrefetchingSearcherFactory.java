// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.jspecify.annotations.Nullable;

/** Makes a {@link PrefetchingIndexSearcher} of each reader of a {@code SearcherManager}. */
@SuppressWarnings("exports") // of the annotation Nullable
public class PrefetchingSearcherFactory extends SearcherFactory {

  private final @Nullable Executor executor;

  /** A factory of searchers without an executor. */
  public PrefetchingSearcherFactory() {
    this(null);
  }

  /** A factory of searchers with an executor, as {@link IndexSearcher} takes it. */
  public PrefetchingSearcherFactory(@Nullable Executor executor) {
    this.executor = executor;
  }

  @Override
  public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previousReader) {
    return new PrefetchingIndexSearcher(reader, executor);
  }
}
