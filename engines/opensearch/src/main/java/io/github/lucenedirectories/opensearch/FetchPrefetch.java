package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.index.StoredFields;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.fetch.StoredFieldsContext;
import org.opensearch.search.internal.SearchContext;

/**
 * Prefetches the stored fields of all hits that a request fetches from a shard. The node then reads
 * them hit by hit, and would wait for the device at each of them. Thread-safe.
 */
final class FetchPrefetch implements SearchOperationListener {

  @Override
  public void onPreFetchPhase(SearchContext context) {
    StoredFieldsContext fields = context.storedFieldsContext();
    if (fields != null && !fields.fetchFields()) {
      return;
    }
    int from = context.docIdsToLoadFrom();
    int[] hits =
        Arrays.copyOfRange(context.docIdsToLoad(), from, from + context.docIdsToLoadSize());
    if (hits.length < 2) {
      return;
    }
    // In the order of the file: hits of one block follow each other and are prefetched once.
    Arrays.sort(hits);
    try {
      StoredFields stored = context.searcher().getIndexReader().storedFields();
      for (int hit : hits) {
        stored.prefetch(hit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
