// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.Random;

/**
 * Power cuts at every flush, fence and publication of random runs. {@code -Dtestkit.cuts=N} sets
 * how many there are at least.
 */
public class SimulatorTest extends LibraryTestCase {

  private static final int OPERATIONS = 60;

  public void testPowerCuts() throws IOException {
    for (long looks = 0; looks < Long.getLong("testkit.cuts", 10_000); ) {
      looks += new SimulatedRun(new Random(random().nextLong())).run(OPERATIONS);
    }
  }
}
