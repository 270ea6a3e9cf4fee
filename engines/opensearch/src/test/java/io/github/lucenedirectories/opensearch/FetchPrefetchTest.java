// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.search.Scroll;
import org.opensearch.search.fetch.StoredFieldsContext;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.internal.ShardSearchRequest;
import org.opensearch.search.query.QuerySearchResult;
import org.opensearch.test.OpenSearchTestCase;

/** The hits of a page are prefetched together, and no others. */
public class FetchPrefetchTest extends OpenSearchTestCase {

  private final List<String> prefetched = new ArrayList<>();

  public void testHitsOfAPage() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      int documents = between(20, 200);
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < documents; i++) {
          Document document = new Document();
          document.add(new StringField("id", "" + i, Field.Store.YES));
          writer.addDocument(document);
          if (rarely()) {
            writer.commit();
          }
        }
      }
      try (DirectoryReader reader = new Recording(DirectoryReader.open(directory))) {
        int[] hits = random().ints(between(2, 100), 0, documents).toArray();
        int from = between(0, hits.length - 1);
        int size = between(0, hits.length - from);
        check(reader, hits, from, size, randomBoolean() ? null : fields("id"), true);
        check(reader, hits, 0, hits.length, fields("_none_"), false);
      }
    }
  }

  private static StoredFieldsContext fields(String name) {
    return StoredFieldsContext.fromList(List.of(name));
  }

  private void check(
      DirectoryReader reader,
      int[] hits,
      int from,
      int size,
      @Nullable StoredFieldsContext fields,
      boolean expected)
      throws IOException {
    ContextIndexSearcher searcher = mock(ContextIndexSearcher.class);
    when(searcher.getIndexReader()).thenReturn(reader);
    SearchContext context = mock(SearchContext.class);
    when(context.searcher()).thenReturn(searcher);
    when(context.storedFieldsContext()).thenReturn(fields);
    int[] given = hits.clone();
    when(context.docIdsToLoad()).thenReturn(given);
    when(context.docIdsToLoadFrom()).thenReturn(from);
    when(context.docIdsToLoadSize()).thenReturn(size);
    List<String> page =
        Arrays.stream(hits, from, from + size).sorted().mapToObj(hit -> "" + hit).toList();
    check(context, expected ? page : List.of());
    assertArrayEquals("the node's own array", hits, given);
    // As the node leaves it before it fetches from its only shard.
    when(context.docIdsToLoad()).thenReturn(null);
    when(context.from()).thenReturn(from);
    when(context.size()).thenReturn(size);
    ScoreDoc[] found =
        Arrays.stream(hits).mapToObj(hit -> new ScoreDoc(hit, 1)).toArray(ScoreDoc[]::new);
    QuerySearchResult result = new QuerySearchResult();
    TotalHits total = new TotalHits(found.length, TotalHits.Relation.EQUAL_TO);
    result.topDocs(new TopDocsAndMaxScore(new TopDocs(total, found), 1), null);
    when(context.queryResult()).thenReturn(result);
    ShardSearchRequest request = mock(ShardSearchRequest.class);
    when(context.request()).thenReturn(request);
    check(context, expected ? page : List.of());
    when(context.size()).thenReturn(Integer.MAX_VALUE);
    when(context.from()).thenReturn(hits.length + between(0, 10));
    check(context, List.of());
    when(request.scroll()).thenReturn(new Scroll(TimeValue.timeValueMinutes(1)));
    boolean stored = fields == null || fields.fetchFields();
    check(
        context,
        stored ? Arrays.stream(hits).sorted().mapToObj(hit -> "" + hit).toList() : List.of());
  }

  private void check(SearchContext context, List<String> expected) {
    prefetched.clear();
    new FetchPrefetch(() -> false).onPreFetchPhase(context);
    assertEquals(List.of(), prefetched);
    new FetchPrefetch(() -> true).onPreFetchPhase(context);
    assertEquals(expected, prefetched);
  }

  /** Records the ids of the documents that are prefetched, which are their numbers. */
  private final class Recording extends FilterDirectoryReader {

    Recording(DirectoryReader in) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader leaf) {
              return new RecordingLeaf(leaf);
            }
          });
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader reopened) throws IOException {
      return new Recording(reopened);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private final class RecordingLeaf extends FilterLeafReader {

    RecordingLeaf(LeafReader in) {
      super(in);
    }

    @Override
    public StoredFields storedFields() throws IOException {
      StoredFields fields = in.storedFields();
      return new StoredFields() {
        @Override
        public void prefetch(int document) throws IOException {
          prefetched.add(fields.document(document).get("id"));
        }

        @Override
        public void document(int document, StoredFieldVisitor visitor) throws IOException {
          fields.document(document, visitor);
        }
      };
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
