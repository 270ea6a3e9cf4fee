package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.index.IndexFormatSuite;

/** Runs {@link IndexFormatSuite} on every way to read. */
public class IndexFormatTest extends IndexFormatSuite {

  public IndexFormatTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoriesUnderTest.readers());
  }
}
