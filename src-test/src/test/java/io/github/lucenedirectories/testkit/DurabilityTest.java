package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.DurabilitySuite;

/** Runs {@link DurabilitySuite} on every directory that keeps files. */
public class DurabilityTest extends DurabilitySuite {

  public DurabilityTest(DirectoryUnderTest subject) {
    super(subject, DirectoriesUnderTest.all(other -> other.capabilities().keepsFiles()));
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DurabilityTest::syncsFiles);
  }

  private static boolean syncsFiles(DirectoryUnderTest directory) {
    return directory.capabilities().syncsFiles();
  }
}
