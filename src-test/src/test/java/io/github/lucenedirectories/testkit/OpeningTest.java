package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.OpeningSuite;

/** Runs {@link OpeningSuite} on every directory. */
public class OpeningTest extends OpeningSuite {

  public OpeningTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }
}
