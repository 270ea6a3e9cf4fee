package io.github.lucenedirectories.testkit.index;

import com.carrotsearch.randomizedtesting.generators.RandomPicks;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.analysis.MockTokenizer;
import org.apache.lucene.tests.store.MockDirectoryWrapper;
import org.junit.Rule;

/**
 * Writes an index of random documents with fields of all kinds and compares it with the same index
 * on {@code ByteBuffersDirectory}: content, hits, scores, and clean by {@code CheckIndex}.
 */
public class WholeIndexTest extends DirectorySuite {

  private static final int DOCUMENTS = 200;

  private static final String DEFAULT = "Lucene104";
  private static final List<String> OTHER_FORMATS =
      List.of("Direct", "FST50", "BlockTreeOrds", "SimpleText");

  @Rule public final Sample sample;

  public WholeIndexTest(DirectoryUnderTest subject) {
    super(subject);
    sample = new Sample(subject, DirectoriesUnderTest.all(), 3);
  }

  public void testDefault() throws Exception {
    run(DEFAULT, DOCUMENTS);
  }

  /** What a codec does with the bytes depends neither on native access nor on vectors. */
  public void testOtherFormats() throws Exception {
    assumeTrue("the mode changes nothing", TestMode.current() == TestMode.SCALAR);
    List<String> formats = List.of(RandomPicks.randomFrom(random(), OTHER_FORMATS));
    if (Sample.ALL) {
      assumeTrue("reads as others do", DirectoriesUnderTest.readers().contains(subject));
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
        LongPostings.write(directory, seed, 4_000 * RANDOM_MULTIPLIER);
      }
      try (DirectoryReader expectedReader = DirectoryReader.open(expected);
          DirectoryReader actual = DirectoryReader.open(tested)) {
        assertTermsEquals("long postings", expectedReader, actual, true);
        LongPostings.compareSearches(expectedReader, actual);
      }
    }
  }

  private void run(String format, int documents) throws Exception {
    Directory tested = open();
    try (Directory expected = new ByteBuffersDirectory();
        MockDirectoryWrapper mock = new MockDirectoryWrapper(random(), tested)) {
      mock.setThrottling(MockDirectoryWrapper.Throttling.NEVER);
      // Done below, on the directory itself.
      mock.setCheckIndexOnClose(false);
      long seed = random().nextLong();
      try (IndexPair pair = new IndexPair(expected, mock, format, seed, this::compare)) {
        pair.run(documents * RANDOM_MULTIPLIER);
      }
      // Until here through the mock, which hides memory segments from Lucene's SIMD code.
      try (DirectoryReader expectedReader = DirectoryReader.open(expected);
          DirectoryReader actual = DirectoryReader.open(tested)) {
        compare("committed", expectedReader, actual);
        searchFromManyThreads(expectedReader, actual);
      }
      CleanIndex.check(tested);
    }
  }

  private void searchFromManyThreads(DirectoryReader expected, DirectoryReader actual)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> searches =
          Stream.generate(random()::nextLong)
              .limit(2)
              .<Future<?>>map(
                  seed ->
                      threads.submit(
                          () -> {
                            SearchComparison.run(expected, actual, seed);
                            return null;
                          }))
              .toList();
      for (Future<?> search : searches) {
        search.get();
      }
    }
  }

  private void compare(String when, DirectoryReader expected, DirectoryReader actual)
      throws IOException {
    assertEquals(when, expected.leaves().size(), actual.leaves().size());
    for (int i = 0; i < expected.leaves().size(); i++) {
      LeafReader left = expected.leaves().get(i).reader();
      LeafReader right = actual.leaves().get(i).reader();
      assertReaderEquals(when + ", leaf " + i, left, right);
      compareVectors(when + ", leaf " + i, left, right);
    }
    SearchComparison.run(expected, actual, random().nextLong());
  }

  private static void compareVectors(String when, LeafReader expected, LeafReader actual)
      throws IOException {
    for (String field : List.of("floats", "products", "fractions")) {
      FloatVectorValues left = expected.getFloatVectorValues(field);
      FloatVectorValues right = actual.getFloatVectorValues(field);
      assertEquals(when, left == null, right == null);
      for (int i = 0; left != null && i < left.size(); i++) {
        assertEquals(when, left.ordToDoc(i), right.ordToDoc(i));
        assertTrue(when, Arrays.equals(left.vectorValue(i), right.vectorValue(i)));
      }
    }
    for (String field : List.of("signed_bytes", "byte_products")) {
      ByteVectorValues left = expected.getByteVectorValues(field);
      ByteVectorValues right = actual.getByteVectorValues(field);
      assertEquals(when, left == null, right == null);
      for (int i = 0; left != null && i < left.size(); i++) {
        assertEquals(when, left.ordToDoc(i), right.ordToDoc(i));
        assertArrayEquals(when, left.vectorValue(i), right.vectorValue(i));
      }
    }
  }

  /** One segment of many small documents, whose words have hundreds of postings each. */
  private static final class LongPostings {

    private static final int WORDS = 60;
    private static final String FIELD = "text";

    private LongPostings() {}

    static void write(Directory directory, long seed, int documents) throws IOException {
      Random random = new Random(seed);
      IndexWriterConfig config =
          new IndexWriterConfig(new MockAnalyzer(random, MockTokenizer.WHITESPACE, false));
      config.setCodec(IndexPair.codec(DEFAULT));
      config.setMaxBufferedDocs(documents + 1);
      config.setMergePolicy(NoMergePolicy.INSTANCE);
      config.setUseCompoundFile(random.nextBoolean());
      FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
      Random words = new Random(seed);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < documents; i++) {
          StringBuilder text = new StringBuilder();
          // Now and then a long document, for frequencies and positions of more than a few bits.
          for (int left = words.nextInt(50) == 0 ? 300 : words.nextInt(12); left >= 0; left--) {
            text.append('w').append(words.nextInt(WORDS)).append(' ');
          }
          Document document = new Document();
          document.add(new Field(FIELD, text.toString(), type));
          writer.addDocument(document);
        }
      }
    }

    static void compareSearches(DirectoryReader expected, DirectoryReader actual)
        throws IOException {
      for (int i = 0; i < WORDS; i++) {
        TermQuery word = new TermQuery(new Term(FIELD, "w" + i));
        TermQuery next = new TermQuery(new Term(FIELD, "w" + (i + 1) % WORDS));
        SearchComparison.compareHits(expected, actual, word);
        for (BooleanClause.Occur occur :
            new BooleanClause.Occur[] {BooleanClause.Occur.MUST, BooleanClause.Occur.SHOULD}) {
          BooleanQuery both = new BooleanQuery.Builder().add(word, occur).add(next, occur).build();
          SearchComparison.compareHits(expected, actual, both);
        }
        SearchComparison.compareHits(
            expected, actual, new PhraseQuery(FIELD, "w" + i, "w" + (i + 1) % WORDS));
      }
    }
  }
}
