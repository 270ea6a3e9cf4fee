// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalDouble;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** When queries of made-up series are as fast as before. */
class RecoveryTest {
  private static final long MILLI = 1_000_000;
  private static final long STEP = 100 * MILLI;

  /** So many queries in each of 60 tenths of a second, with their latencies in milliseconds. */
  private static Recovery series(IntUnaryOperator count, IntToLongFunction millis) {
    Recovery recovery = new Recovery(-7);
    for (int step = 0; step < 60; step++) {
      for (int i = 0; i < count.applyAsInt(step); i++) {
        recovery.add(step * STEP + i * MILLI - 7, millis.applyAsLong(step) * MILLI);
      }
    }
    return recovery;
  }

  private static void assertAt(double seconds, OptionalDouble found) {
    assertEquals(OptionalDouble.of(seconds), found);
  }

  private static void assertNever(OptionalDouble found) {
    assertEquals(OptionalDouble.empty(), found);
  }

  @Test
  void highPercentileFallsOnce() {
    Recovery recovery = series(_ -> 50, step -> step < 23 ? 40 : 14);
    assertAt(2.3, recovery.untilHigh(10, 6));
    assertNever(recovery.untilHigh(9, 6));
    assertAt(0, recovery.untilHigh(30, 6));
    // Of the second after it all must be known.
    assertAt(2.3, recovery.untilHigh(10, 4.3));
    assertNever(recovery.untilHigh(10, 4.2));
  }

  /** Good seconds that begin in less than a second do not count. */
  @Test
  void highPercentileMustStay() {
    assertAt(0, series(_ -> 50, step -> step == 20 ? 40 : 10).untilHigh(10, 6));
    assertAt(2.0, series(_ -> 50, step -> step == 19 ? 40 : 10).untilHigh(10, 6));
  }

  /** One query in a hundred may be slow; two may not. */
  @Test
  void onlyTheSlowestHundredthMayBeSlower() {
    Recovery one = series(_ -> 99, _ -> 10);
    Recovery two = series(_ -> 99, _ -> 10);
    for (long i = 0; i < 9; i++) {
      one.add(i * 6 * STEP, 500 * MILLI);
    }
    for (long i = 0; i < 30; i++) {
      two.add(i * 2 * STEP, 500 * MILLI);
      two.add(i * 2 * STEP, 500 * MILLI);
      two.add(i * 2 * STEP, 500 * MILLI);
    }
    assertAt(0, one.untilHigh(10, 6));
    assertNever(two.untilHigh(10, 6));
  }

  /** No query at all is not a fast one: the first are at 1.5 s, and then none from 4 s on. */
  @Test
  void silenceIsSlow() {
    Recovery recovery = series(step -> step >= 15 && step < 40 ? 50 : 0, _ -> 10);
    assertAt(0.6, recovery.untilHigh(10, 6));
    assertNever(series(step -> step < 10 ? 50 : 0, _ -> 10).untilHigh(10, 6));
    assertNever(new Recovery(0).untilHigh(10, 6));
  }

  @Test
  void throughputOfOneSecond() {
    Recovery recovery = series(step -> step < 31 ? 5 : 9, _ -> 10);
    assertAt(3.1, recovery.untilRate(100, 6));
    assertAt(3.1, recovery.untilRate(100, 4.1));
    assertNever(recovery.untilRate(100, 4.09));
    assertNever(recovery.untilRate(101, 6));
    assertAt(0, recovery.untilRate(50, 6));
  }
}
