package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.index.OldIndexSuite;
import java.util.Objects;

/**
 * Runs {@link OldIndexSuite} on every way to read, with an index of Lucene 9.12, which the program
 * in {@code src/generator} wrote.
 */
public class OldIndexTest extends OldIndexSuite {

  public OldIndexTest(DirectoryUnderTest subject) {
    super(subject, Objects.requireNonNull(OldIndexSuite.class.getResource("lucene-9.12.zip")));
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoriesUnderTest.readers());
  }
}
