package io.github.lucenedirectories.search;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;

/** Makes searchers that prefetch the vectors of all candidates of a rescoring together. */
public class PrefetchingSearcherFactory extends SearcherFactory {

  /** The default factory; searchers have no executor. */
  public PrefetchingSearcherFactory() {}

  @Override
  public IndexSearcher newSearcher(IndexReader reader, IndexReader previousReader)
      throws IOException {
    return new IndexSearcher(reader);
  }
}
