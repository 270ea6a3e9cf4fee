package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.BulkReadSuite;

/** Runs {@link BulkReadSuite} on every directory. */
public class BulkReadTest extends BulkReadSuite {

  public BulkReadTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }
}
