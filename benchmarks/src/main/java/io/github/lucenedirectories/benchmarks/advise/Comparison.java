package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.results.Interval;

/**
 * A ratio to the baseline, and how well it is known.
 *
 * @param interval of the ratio, 95 %
 * @param noise the interval of the baseline against itself, in the same run
 */
record Comparison(double ratio, Interval interval, Interval noise) {

  /** Whether it lies above 1 beyond what chance and the noise explain. */
  boolean isAbove() {
    return interval.low() > Math.max(1, noise.high());
  }

  /** Whether it lies below 1 beyond what chance and the noise explain. */
  boolean isBelow() {
    return interval.high() < Math.min(1, noise.low());
  }
}
