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

  /** How far it reaches from 1, as a share: 0.25 for 0.8 to 1.1. */
  double reach() {
    return Math.max(high, 1 / low) - 1;
  }

  public double halfWidth() {
    return (high - low) / 2;
  }

  /** The interval of 1/x, for example of a ratio of times from a ratio of speeds. */
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
