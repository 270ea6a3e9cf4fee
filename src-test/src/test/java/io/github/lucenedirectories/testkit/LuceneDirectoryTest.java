package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.LuceneDirectorySuite;

/** Runs {@link LuceneDirectorySuite} on every directory. */
public class LuceneDirectoryTest extends LuceneDirectorySuite {

  public LuceneDirectoryTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }
}
