package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.OtherFileSystemSuite;

/** Runs {@link OtherFileSystemSuite} on every directory that keeps files. */
public class OtherFileSystemTest extends OtherFileSystemSuite {

  public OtherFileSystemTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(directory -> directory.capabilities().keepsFiles());
  }
}
