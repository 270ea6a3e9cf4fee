// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import java.util.Arrays;
import java.util.Collection;

/** The middle of a sample: values that a few disturbed ones do not move. */
public final class Medians {
  private Medians() {}

  public static double of(Collection<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The middle value; the mean of the two middle ones where their number is even. */
  public static double of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return ofSorted(sorted);
  }

  /** The mean of the middle half, which varies less than the median where most values are sound. */
  public static double middleHalf(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int cut = sorted.length / 4;
    return Arrays.stream(sorted, cut, sorted.length - cut).average().orElseThrow();
  }

  static double ofSorted(double[] sorted) {
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
