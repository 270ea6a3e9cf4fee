// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Poisson arrivals, and latencies that count from them, on a clock of the test's own. */
class StepClockTest {
  private static final long START = 1_000_000_000L;
  private static final long MILLIS = 1_000_000;
  private static final double SECONDS = 100;
  private static final double RATE = 1000;
  private static final int QUERIES = 7;

  private final StepClock poisson = poisson(3);
  private final StepClock clock = new StepClock(1000, 1, 10, 1, 1);

  @BeforeEach
  void start() {
    clock.start(START);
  }

  /** A server that answers after a millisecond but stops at 5 s for two seconds. */
  private static long answerOf(long due) {
    long stop = START + 5000 * MILLIS;
    long go = START + 7000 * MILLIS;
    return due + MILLIS >= stop && due < go ? go + MILLIS : due + MILLIS;
  }

  @Test
  void aStallIsInEveryRequestThatWasPlannedInIt() {
    for (int i = 0; i < clock.size(); i++) {
      // Sent late, after the stall: only the plan counts.
      clock.sent(i, clock.due(i));
      clock.answered(i, answerOf(clock.due(i)));
    }
    StepResult result = clock.result(clock.end());
    assertEquals(clock.size(), result.planned());
    assertEquals(clock.size(), result.sent());
    assertEquals(result.latency().count(), result.requests());
    assertTrue(result.requests() < result.planned() * 10.5 / 11, "what settles does not count");
    // A fifth of the ten seconds, evenly from 2 s down to nothing.
    assertEquals(1, result.latency().millis("p50"), 0.02);
    assertEquals(1000, result.latency().millis("p90"), 60);
    assertEquals(1900, result.latency().millis("p99"), 60);
    assertFalse(result.holds(1.5));
    assertTrue(result.holds(1.99));
  }

  @Test
  void whatIsNeverAnsweredIsAsLateAsTheEnd() {
    for (int i = 0; i < clock.size(); i++) {
      clock.sent(i, clock.due(i));
      if (i % 10 != 0) {
        clock.answered(i, clock.due(i) + MILLIS);
      }
    }
    StepResult result = clock.result(clock.end() + 1000 * MILLIS);
    // A few answers come in the millisecond after the end.
    assertEquals(result.requests(), result.answered() + result.unanswered(), 9);
    assertEquals(result.requests() / 10.0, result.unanswered(), 1);
    assertTrue(result.latency().millis("p99") > 9000);
    assertFalse(result.holds(60), "a tenth was never answered");
  }

  @Test
  void lateSendersAreSeen() {
    for (int i = 0; i < clock.size(); i++) {
      clock.sent(i, clock.due(i) + (i % 50 == 0 ? 20_000 : 3) * MILLIS);
      clock.answered(i, clock.due(i) + 4 * MILLIS);
    }
    StepResult result = clock.result(clock.end());
    assertEquals(3, result.late().millis("p50"), 0.02);
    assertFalse(result.keptRate(), "a fiftieth was not sent in time");
    assertFalse(result.holds(60));
  }

  private static StepClock poisson(long seed) {
    return new StepClock(RATE, 0, SECONDS, QUERIES, seed);
  }

  @Test
  void sameSeedSameMoments() {
    StepClock again = poisson(3);
    assertEquals(poisson.size(), again.size());
    for (int i = 0; i < poisson.size(); i++) {
      assertEquals(poisson.due(i), again.due(i));
      assertEquals(poisson.query(i), again.query(i));
    }
    assertTrue(poisson.due(0) != poisson(4).due(0));
  }

  @Test
  void meanRateAndSpreadAreThoseOfAPoissonProcess() {
    double expected = RATE * SECONDS;
    // Five standard deviations.
    assertEquals(expected, poisson.size(), 5 * Math.sqrt(expected));
    int[] perSlot = new int[(int) (SECONDS * 10)];
    for (int i = 0; i < poisson.size(); i++) {
      assertTrue(i == 0 || poisson.due(i) >= poisson.due(i - 1));
      perSlot[(int) (poisson.due(i) / 100_000_000)]++;
    }
    double mean = poisson.size() / (double) perSlot.length;
    double variance = 0;
    for (int count : perSlot) {
      variance += (count - mean) * (count - mean) / perSlot.length;
    }
    // Of a Poisson process they are equal; of even gaps the variance is nothing.
    assertEquals(1, variance / mean, 0.25);
  }
}
