package io.github.lucenedirectories.testkit.index;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.Sample;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.junit.Rule;

/**
 * An index that Lucene 9.12 wrote by the program in {@code src/generator}, with the hits it found,
 * read through lucene-backward-codecs.
 */
public class OldIndexTest extends DirectorySuite {

  private static final double TOLERANCE = 1e-5;

  @Rule public final Sample sample;

  public OldIndexTest(DirectoryUnderTest subject) {
    super(subject);
    sample = new Sample(subject, DirectoriesUnderTest.readers(), 3);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoriesUnderTest.readers());
  }

  public void testHitsAreThoseOfTheOldLucene() throws IOException {
    OldIndex index = OldIndex.read();
    assertTrue("too few queries: " + index.expected(), index.expected().size() > 40);
    try (Directory directory = open()) {
      index.copyTo(directory);
      CleanIndex.check(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertTrue(reader.leaves().size() > 1);
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(new BM25Similarity());
        for (String line : index.expected()) {
          compare(line, OldIndex.search(searcher, line));
        }
      }
    }
  }

  private static void compare(String line, TopDocs hits) {
    String[] parts = line.split("\t", -1);
    assertEquals(line, Long.parseLong(parts[1]), hits.totalHits.value());
    assertEquals(line, parts.length - 2, hits.scoreDocs.length);
    for (int i = 2; i < parts.length; i++) {
      String[] hit = parts[i].split("=", 2);
      assertEquals(line, Integer.parseInt(hit[0]), hits.scoreDocs[i - 2].doc);
      assertEquals(line, Float.parseFloat(hit[1]), hits.scoreDocs[i - 2].score, TOLERANCE);
    }
  }

  /** All of its content, and then what merges make of it, as on the heap. */
  public void testContentAndMergeAsOnHeap() throws IOException {
    OldIndex index = OldIndex.read();
    try (Directory expected = new ByteBuffersDirectory();
        Directory directory = open()) {
      index.copyTo(expected);
      index.copyTo(directory);
      compareReaders("as written", expected, directory);
      for (Directory each : new Directory[] {expected, directory}) {
        IndexWriterConfig config = new IndexWriterConfig(new MockAnalyzer(random()));
        config.setMergeScheduler(new SerialMergeScheduler());
        try (IndexWriter writer = new IndexWriter(each, config)) {
          writer.deleteDocuments(new Term("id", "100"));
          writer.updateNumericDocValue(new Term("id", "101"), "updated_number", 7);
          writer.forceMerge(1);
        }
      }
      compareReaders("merged", expected, directory);
      CleanIndex.check(directory);
    }
  }

  private void compareReaders(String when, Directory expected, Directory actual)
      throws IOException {
    try (DirectoryReader left = DirectoryReader.open(expected);
        DirectoryReader right = DirectoryReader.open(actual)) {
      assertReaderEquals(when, left, right);
      SearchComparison.run(left, right, random().nextLong());
    }
  }
}
