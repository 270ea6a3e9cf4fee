// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.index;

import static org.apache.lucene.tests.search.CheckHits.checkEqual;

import com.carrotsearch.randomizedtesting.generators.RandomPicks;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.analysis.MockTokenizer;
import org.apache.lucene.tests.store.MockDirectoryWrapper;
import org.apache.lucene.tests.util.TestUtil;

/**
 * Writes an index of random documents with fields of all kinds and compares it with the same index
 * on {@code ByteBuffersDirectory}: content, hits, scores, and clean by {@code CheckIndex}.
 */
public class WholeIndexSuite extends DirectorySuite {

  private static final int DOCUMENTS = 200;

  private static final String DEFAULT = TestUtil.getDefaultPostingsFormat().getName();
  private static final List<String> OTHER_FORMATS =
      List.of("Direct", "FST50", "BlockTreeOrds", "SimpleText");

  /** More than any index here has documents: all hits are compared. */
  private static final int EVERY = 10_000;

  private static final int FEW = 10;

  public WholeIndexSuite(Subject subject) {
    super(subject);
  }

  public void testDefault() throws Exception {
    run(DEFAULT, DOCUMENTS);
  }

  public void testOtherFormats() throws Exception {
    List<String> formats = List.of(RandomPicks.randomFrom(random(), OTHER_FORMATS));
    if (ALL) {
      assumeTrue("another directory reads like it", !subject.readsLikeAnother());
      formats = OTHER_FORMATS;
    }
    for (String format : formats) {
      run(format, format.equals("SimpleText") ? DOCUMENTS / 5 : DOCUMENTS * 2 / 3);
    }
  }

  /**
   * Postings long and sparse enough that whole blocks of them need several bits a number: only such
   * blocks are decoded by SIMD code, straight from memory segments.
   */
  public void testLongPostings() throws Exception {
    try (Directory expected = new ByteBuffersDirectory();
        Directory tested = open()) {
      long seed = random().nextLong();
      for (Directory directory : List.of(expected, tested)) {
        writeLongPostings(directory, new Random(seed));
      }
      try (DirectoryReader left = DirectoryReader.open(expected);
          DirectoryReader right = DirectoryReader.open(tested)) {
        assertTermsEquals("long postings", left, right, true);
        search(left, right, seed);
      }
    }
  }

  /** One segment of many small documents, whose words have hundreds of postings each. */
  private static void writeLongPostings(Directory directory, Random random) throws IOException {
    MockAnalyzer analyzer = new MockAnalyzer(random, MockTokenizer.WHITESPACE, false);
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setCodec(RandomIndex.codec(DEFAULT))
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setUseCompoundFile(random.nextBoolean());
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 4_000 * RANDOM_MULTIPLIER; i++) {
        StringBuilder text = new StringBuilder();
        // Now and then a long document, for frequencies and positions of more than a few bits.
        for (int left = random.nextInt(50) == 0 ? 300 : random.nextInt(12); left >= 0; left--) {
          text.append(RandomDocument.word(random)).append(' ');
        }
        Document document = new Document();
        document.add(new Field("offsets", text.toString(), type));
        writer.addDocument(document);
      }
    }
  }

  private void run(String format, int documents) throws Exception {
    Directory tested = open();
    long seed = random().nextLong();
    try (Directory expected = new ByteBuffersDirectory();
        MockDirectoryWrapper mock = new MockDirectoryWrapper(random(), tested)) {
      mock.setThrottling(MockDirectoryWrapper.Throttling.NEVER);
      // Done below, on the directory itself.
      mock.setCheckIndexOnClose(false);
      try (RandomIndex left = new RandomIndex(expected, format, seed);
          RandomIndex right = new RandomIndex(mock, format, seed)) {
        left.write(documents * RANDOM_MULTIPLIER);
        right.write(documents * RANDOM_MULTIPLIER);
        for (int i = 0; i < left.readers().size(); i++) {
          compare("near real time", left.readers().get(i), right.readers().get(i));
        }
      }
      // Until here through the mock, which hides memory segments from Lucene's SIMD code.
      compare("committed", expected, tested);
      CleanIndex.check(tested);
    }
  }

  /** Compares two indexes, their hits from two threads at once. */
  protected void compare(String when, Directory expected, Directory actual) throws Exception {
    try (DirectoryReader left = DirectoryReader.open(expected);
        DirectoryReader right = DirectoryReader.open(actual)) {
      long seed = random().nextLong();
      FutureTask<Void> searching =
          start(
              () -> {
                search(left, right, seed);
                return null;
              });
      compare(when, left, right);
      searching.get();
    }
  }

  private void compare(String when, DirectoryReader expected, DirectoryReader actual)
      throws IOException {
    assertEquals(when, expected.leaves().size(), actual.leaves().size());
    for (int i = 0; i < expected.leaves().size(); i++) {
      LeafReader left = expected.leaves().get(i).reader();
      LeafReader right = actual.leaves().get(i).reader();
      assertReaderEquals(when + ", leaf " + i, left, right);
      assertEquals(when + ", leaf " + i, vectors(left), vectors(right));
    }
    search(expected, actual, random().nextLong());
  }

  /** The vectors of all fields in the order of documents. */
  private static List<String> vectors(LeafReader reader) throws IOException {
    List<String> found = new ArrayList<>();
    for (FieldInfo field : reader.getFieldInfos()) {
      FloatVectorValues floats = reader.getFloatVectorValues(field.name);
      for (int i = 0; floats != null && i < floats.size(); i++) {
        found.add(field.name + floats.ordToDoc(i) + Arrays.toString(floats.vectorValue(i)));
      }
      ByteVectorValues bytes = reader.getByteVectorValues(field.name);
      for (int i = 0; bytes != null && i < bytes.size(); i++) {
        found.add(field.name + bytes.ordToDoc(i) + Arrays.toString(bytes.vectorValue(i)));
      }
    }
    return found;
  }

  private static IndexSearcher searcher(DirectoryReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    // Every hit comes from the directory, none from a cache of an earlier query.
    searcher.setQueryCache(null);
    searcher.setSimilarity(new BM25Similarity());
    return searcher;
  }

  /** Compares totals, documents and scores of queries of every kind. */
  private static void search(DirectoryReader left, DirectoryReader right, long seed)
      throws IOException {
    IndexSearcher expected = searcher(left);
    IndexSearcher actual = searcher(right);
    List<Query> queries = RandomQueries.exact(new Random(seed));
    for (Query query : queries) {
      compareHits(query, expected.search(query, EVERY), actual.search(query, EVERY));
      // Few hits, and counting stops early: documents that cannot compete are skipped.
      compareHits(query, best(expected, query), best(actual, query));
      assertEquals(query.toString(), expected.count(query), actual.count(query));
    }
    for (Sort sort : RandomQueries.sorts()) {
      Query query = queries.get(Math.floorMod(seed, queries.size()));
      compareHits(query, expected.search(query, FEW, sort), actual.search(query, FEW, sort));
    }
    for (Query query : RandomQueries.nearest(new Random(seed))) {
      // Scores of vectors are rounded differently on the heap: equal ones may change places.
      checkEqual(query, byDocument(expected, query), byDocument(actual, query));
    }
  }

  private static TopDocs best(IndexSearcher searcher, Query query) throws IOException {
    return searcher.search(query, new TopScoreDocCollectorManager(FEW, null, FEW));
  }

  private static void compareHits(Query query, TopDocs expected, TopDocs actual) {
    assertEquals(query.toString(), expected.totalHits, actual.totalHits);
    checkEqual(query, expected.scoreDocs, actual.scoreDocs);
  }

  private static ScoreDoc[] byDocument(IndexSearcher searcher, Query query) throws IOException {
    ScoreDoc[] hits = searcher.search(query, EVERY).scoreDocs;
    Arrays.sort(hits, Comparator.comparingInt(hit -> hit.doc));
    return hits;
  }
}
