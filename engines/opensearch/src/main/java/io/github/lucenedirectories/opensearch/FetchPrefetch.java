// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.ScoreDoc;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.fetch.StoredFieldsContext;
import org.opensearch.search.internal.SearchContext;

/**
 * Prefetches the stored fields of all hits that a request fetches from a shard. The node then reads
 * them hit by hit, and would wait for the device at each of them. Thread-safe.
 */
final class FetchPrefetch implements SearchOperationListener {

  private final BooleanSupplier on;
  private final Map<IndexReader.CacheKey, DirectoryReader> readers = new ConcurrentHashMap<>();

  FetchPrefetch(BooleanSupplier on) {
    this.on = on;
  }

  @Override
  public void onPreFetchPhase(SearchContext context) {
    StoredFieldsContext fields = context.storedFieldsContext();
    if (!on.getAsBoolean() || (fields != null && !fields.fetchFields())) {
      return;
    }
    if (context.searcher().getIndexReader() instanceof DirectoryReader reader) {
      PrefetchingDirectoryReader.prefetchDocuments(prefetching(reader), hits(context));
    }
  }

  /** As long as the reader is open, the same: it learns whether prefetching pays. */
  private DirectoryReader prefetching(DirectoryReader reader) {
    IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
    return helper == null
        ? wrap(reader)
        : readers.computeIfAbsent(
            helper.getKey(),
            key -> {
              helper.addClosedListener(readers::remove);
              return wrap(reader);
            });
  }

  private static DirectoryReader wrap(DirectoryReader reader) {
    try {
      return DirectoriesPlugin.prefetching(reader);
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
