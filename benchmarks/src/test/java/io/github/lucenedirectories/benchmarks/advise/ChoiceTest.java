// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.results.MadeUp;
import org.junit.jupiter.api.Test;

/** Which directory is recommended. */
class ChoiceTest {
  private static Choice choice(boolean mayOutgrow, double hybrid, double nio, double ram) {
    MadeUp made = new MadeUp(8, 0.002).control();
    made.column("HybridDirectory", hybrid, 1).column("NioDirectory", nio, 1);
    return Choice.of(made.column("RamDirectory", ram, 1).results(), mayOutgrow);
  }

  @Test
  void theSimplestOfTheFastest() {
    assertEquals(Choice.RAM, choice(false, 1, 1.1, 1.3));
    assertEquals(Choice.NIO, choice(false, 1, 1.3, 1.3));
    assertEquals(Choice.MMAP, choice(false, 1, 0.9, 1.02), "too little to be worth a change");
  }

  @Test
  void whatFollowsTheMemoryIfItCostsNothing() {
    assertEquals(Choice.HYBRID, choice(true, 1, 0.9, 1));
    assertEquals(Choice.MMAP, choice(true, 0.9, 0.9, 1));
    assertEquals(Choice.MMAP, choice(false, 1, 0.9, 1));
  }
}
