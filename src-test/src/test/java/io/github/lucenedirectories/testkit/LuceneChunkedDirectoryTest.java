package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.LuceneChunkedDirectorySuite;

/** Runs {@link LuceneChunkedDirectorySuite} on every directory that can cut files in chunks. */
public class LuceneChunkedDirectoryTest extends LuceneChunkedDirectorySuite {

  public LuceneChunkedDirectoryTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoryUnderTest::chunkable);
  }
}
