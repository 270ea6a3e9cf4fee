package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.contract.SegmentAccessSuite;

/** Runs {@link SegmentAccessSuite} on every directory that reads from memory segments. */
public class SegmentAccessTest extends SegmentAccessSuite {

  public SegmentAccessTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(directory -> directory.capabilities().memorySegments());
  }
}
