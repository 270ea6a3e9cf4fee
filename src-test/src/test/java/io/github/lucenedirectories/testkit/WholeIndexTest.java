package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.index.WholeIndexSuite;

/** Runs {@link WholeIndexSuite} on every directory. */
public class WholeIndexTest extends WholeIndexSuite {

  public WholeIndexTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }
}
