package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;

/**
 * Power cuts at every flush, fence and publication of random runs. {@code -Dtestkit.cuts=N} sets
 * how many there are at least.
 */
public class SimulatorTest extends LibraryTestCase {

  private static final int OPERATIONS = 60;

  /** One look at an index takes as long as many at a few files. */
  private static final long CUTS_PER_CUT_OF_INDEX = 50;

  private static long cuts() {
    return Long.getLong("testkit.cuts", 10_000);
  }

  public void testPowerCuts() throws IOException {
    long goal = cuts();
    long looks = 0;
    while (looks < goal) {
      looks += new SimulatedRun(random().nextLong()).run(OPERATIONS);
    }
  }

  public void testPowerCutsDuringCommits() throws IOException {
    long goal = cuts() / CUTS_PER_CUT_OF_INDEX;
    long looks = 0;
    while (looks < goal) {
      looks += new SimulatedCommits(random().nextLong()).run();
    }
  }
}
