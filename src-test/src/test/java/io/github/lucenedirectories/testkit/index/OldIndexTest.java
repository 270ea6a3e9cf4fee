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
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.junit.Rule;

/**
 * An index that Lucene 9.12 wrote, read through lucene-backward-codecs: its content, hits and
 * scores are those that Lucene finds on the heap.
 */
public class OldIndexTest extends DirectorySuite {

  @Rule public final Sample sample;

  public OldIndexTest(DirectoryUnderTest subject) {
    super(subject);
    sample = new Sample(subject, DirectoriesUnderTest.readers(), 3);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoriesUnderTest.readers());
  }

  /** All of its content, and then what merges make of it, as on the heap. */
  public void testContentAndMergeAsOnHeap() throws IOException {
    try (Directory expected = new ByteBuffersDirectory();
        Directory directory = open()) {
      OldIndex.copyTo(expected);
      OldIndex.copyTo(directory);
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
