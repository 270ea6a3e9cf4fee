// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import org.jspecify.annotations.Nullable;

/** A closed interval of a positive quantity. */
public record Interval(double low, double high) {

  public boolean contains(double value) {
    return low <= value && value <= high;
  }

  /** Whether its ends lie so far apart that they tell nothing: by more than a factor of ten. */
  boolean isVague() {
    return high > 10 * low;
  }

  public double halfWidth() {
    return (high - low) / 2;
  }

  /** That of the inverse of what it is of: of a ratio of times where it is of speeds. */
  Interval inverse() {
    return new Interval(1 / high, 1 / low);
  }

  /**
   * What the interval of a ratio of speeds says: {@code faster}, {@code slower}, or {@code same} if
   * it holds 1 or there is none.
   */
  public static String verdict(@Nullable Interval speeds) {
    if (speeds == null || speeds.contains(1)) {
      return "same";
    }
    return speeds.low() > 1 ? "faster" : "slower";
  }
}
