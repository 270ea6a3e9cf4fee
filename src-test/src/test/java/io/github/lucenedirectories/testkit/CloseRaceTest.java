package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.race.CloseRaceSuite;

/** Runs {@link CloseRaceSuite} on every directory. */
public class CloseRaceTest extends CloseRaceSuite {

  public CloseRaceTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }
}
