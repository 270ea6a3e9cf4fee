package io.github.lucenedirectories.benchmarks.results;

import java.util.Arrays;

/**
 * The ratio of two medians of samples that do not belong together in pairs, such as those of two
 * runs, with a bootstrap interval: each side is resampled for itself. What the machine differed by
 * between the two is not in it.
 */
public final class IndependentRatio {

  private IndependentRatio() {}

  /**
   * The ratio, without an interval if a side has one sample only.
   *
   * @param numerator positive
   * @param denominator positive
   * @param seed of the resampling
   */
  public static Estimate of(double[] numerator, double[] denominator, long seed) {
    return of(numerator, denominator, Bootstrap.RESAMPLES, seed);
  }

  static Estimate of(double[] numerator, double[] denominator, int resamples, long seed) {
    double[] above = logs(numerator);
    double[] below = logs(denominator);
    double ratio = Medians.of(above) - Medians.of(below);
    Bootstrap ofAbove = new Bootstrap(above.length, resamples, seed);
    Bootstrap ofBelow = new Bootstrap(below.length, resamples, seed + 1);
    double[] distribution = ofAbove.medians(above);
    double[] other = ofBelow.medians(below);
    for (int i = 0; i < distribution.length; i++) {
      distribution[i] -= other[i];
    }
    // Of two sizes the smaller one asks for the wider interval.
    Bootstrap smaller = above.length <= below.length ? ofAbove : ofBelow;
    Interval log = smaller.interval95(distribution, ratio);
    return new Estimate(
        Math.exp(ratio),
        log == null ? null : new Interval(Math.exp(log.low()), Math.exp(log.high())),
        null);
  }

  private static double[] logs(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }
}
