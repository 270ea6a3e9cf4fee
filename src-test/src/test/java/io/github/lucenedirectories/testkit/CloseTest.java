package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.CloseSuite;

/** Runs {@link CloseSuite} on every directory. */
public class CloseTest extends CloseSuite {

  public CloseTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }
}
