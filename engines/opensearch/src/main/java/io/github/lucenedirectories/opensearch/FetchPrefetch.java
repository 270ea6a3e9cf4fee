// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.ScoreDoc;
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
    int[] hits = hits(context);
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

  private static int[] hits(SearchContext context) {
    if (context.docIdsToLoad() != null) {
      int from = context.docIdsToLoadFrom();
      return Arrays.copyOfRange(context.docIdsToLoad(), from, from + context.docIdsToLoadSize());
    }
    // Queried and fetched at once, as for a single shard or a scroll: the node chooses the hits
    // from the query's result as here, but only after this call.
    ScoreDoc[] found = context.queryResult().topDocs().topDocs.scoreDocs;
    boolean all = context.request().scroll() != null;
    int from = all ? 0 : Math.min(context.from(), found.length);
    int to = all ? found.length : from + Math.min(context.size(), found.length - from);
    return Arrays.stream(found, from, to).mapToInt(hit -> hit.doc).toArray();
  }
}
