// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Queries by the tenth of a second in which they ended, from which it tells how long it took until
 * they were as fast as before. For any thread.
 */
final class Recovery {
  /** What p99 may be, and throughput must be, of that before. */
  static final double HIGH = 1.5;

  static final double RATE = 0.9;

  private static final long STEP_NANOS = 100_000_000;
  private static final int STEPS = 10;
  private static final double MILLIS = 1e6;

  /* Of a hundredth: there are many histograms, and the heap may be small. */
  private static final int DIGITS = 2;

  private final long origin;
  private final List<IntCountsHistogram> steps = new ArrayList<>();

  /** Of queries that end after a moment, in nanoseconds. */
  Recovery(long origin) {
    this.origin = origin;
  }

  synchronized void add(long endNanos, long latencyNanos) {
    int step = (int) ((endNanos - origin) / STEP_NANOS);
    while (steps.size() <= step) {
      steps.add(new IntCountsHistogram(DIGITS));
    }
    steps.get(step).recordValue(latencyNanos);
  }

  /**
   * Seconds until p99 in a second is at most {@value #HIGH} times that before, and in each second
   * that begins less than a second later.
   *
   * @param seconds how long there were queries
   */
  OptionalDouble untilHigh(double millisBefore, double seconds) {
    double most = HIGH * millisBefore * MILLIS;
    return until(
        seconds,
        STEPS + 1,
        from -> {
          Histogram second = second(from);
          return second.getTotalCount() > 0 && second.getValueAtPercentile(99) <= most;
        });
  }

  /** Seconds until a second has at least {@value #RATE} of the queries before. */
  OptionalDouble untilRate(double perSecondBefore, double seconds) {
    return until(seconds, 1, from -> second(from).getTotalCount() >= RATE * perSecondBefore);
  }

  /** Until so many seconds are good that begin one step after another. */
  private OptionalDouble until(double seconds, int wanted, IntPredicate isGood) {
    int good = 0;
    for (int from = 0; from + STEPS <= (int) (seconds * STEPS); from++) {
      good = isGood.test(from) ? good + 1 : 0;
      if (good == wanted) {
        return OptionalDouble.of((double) (from + 1 - wanted) / STEPS);
      }
    }
    return OptionalDouble.empty();
  }

  /** All queries of a second; of steps at the end there may be none. */
  private synchronized Histogram second(int from) {
    Histogram all = new Histogram(DIGITS);
    steps.stream().skip(from).limit(STEPS).forEach(all::add);
    return all;
  }
}
