package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.PendingDeletionSuite;

/** Runs {@link PendingDeletionSuite} on every directory that keeps files. */
public class PendingDeletionTest extends PendingDeletionSuite {

  public PendingDeletionTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(directory -> directory.capabilities().keepsFiles());
  }
}
