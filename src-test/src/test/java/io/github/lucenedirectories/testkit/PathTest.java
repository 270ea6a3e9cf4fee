package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;

/** Runs {@link PathSuite} on every directory. */
public class PathTest extends PathSuite {

  public PathTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }
}
