// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.index;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.TestMode;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.junit.Rule;

/** Whole indexes on the library's directories, old ones too. */
public class WholeIndexTest extends WholeIndexSuite {

  @Rule public final Sample sample;

  public WholeIndexTest(DirectoryUnderTest subject) {
    super(subject);
    sample = new Sample(subject, 3);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }

  /** What a codec does with the bytes depends neither on native access nor on vectors. */
  @Override
  public void testOtherFormats() throws Exception {
    assumeTrue("the mode changes nothing", TestMode.current() == TestMode.SCALAR);
    super.testOtherFormats();
  }

  /** An index that Lucene 9.12 wrote, and what a merge makes of it. */
  public void testOldIndex() throws Exception {
    assumeTrue("another directory reads like it", !ALL || !subject.readsLikeAnother());
    try (Directory expected = new ByteBuffersDirectory();
        Directory tested = open()) {
      OldIndex.copyTo(expected);
      OldIndex.copyTo(tested);
      compare("as written", expected, tested);
      for (Directory each : List.of(expected, tested)) {
        IndexWriterConfig config = new IndexWriterConfig(new MockAnalyzer(random()));
        config.setMergeScheduler(new SerialMergeScheduler());
        try (IndexWriter writer = new IndexWriter(each, config)) {
          writer.deleteDocuments(new Term("id", "100"));
          writer.updateNumericDocValue(new Term("id", "101"), "updated_number", 7);
          writer.forceMerge(1);
        }
      }
      compare("merged", expected, tested);
      CleanIndex.check(tested);
    }
  }
}
