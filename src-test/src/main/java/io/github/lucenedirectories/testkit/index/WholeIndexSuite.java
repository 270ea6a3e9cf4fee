package io.github.lucenedirectories.testkit.index;

import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Whole indexes in Lucene's default format. */
public abstract class WholeIndexSuite extends IndexSuite {

  private static final int DOCUMENTS = 200;

  protected WholeIndexSuite(DirectoryUnderTest subject) {
    super(subject);
  }

  public void testDefault() throws Exception {
    run(IndexFormat.DEFAULT, DOCUMENTS);
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
}
