// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Medians over forks, and ratios between two directories' forks with percentile-bootstrap
 * intervals.
 *
 * <p>A round holds one fork of every directory, near each other in time. A ratio is therefore the
 * median over rounds of the ratio within a round, and its interval comes from resampling rounds: a
 * machine that slows down for minutes slows both sides of such a ratio, where the ratio of two
 * medians over all forks would take the drift for noise. Without drift the two have the same
 * spread. The median, rather than the mean, because a neighbour on the machine makes single forks
 * slow; the percentile interval, because for a median it holds as often as it says: 92 to 95 % of
 * simulated samples of 6 to 20 rounds, with and without outliers, where that of the mean held in 85
 * to 93 %.
 *
 * <p>One object draws its resamples once, so that everything estimated with it resamples the same
 * rounds together: the kinds of one round, measured in one JVM, stay together, and a mean over
 * kinds has the spread that it really has. All is done in logarithms, so that a ratio and its
 * inverse are treated alike.
 */
public final class ForkStatistics {
  private static final int RESAMPLES = 10_000;
  private static final double ERROR = 0.05;

  /*
   * The range of n values around their median holds the true median with probability 1 - 2^(1-n):
   * for fewer than six that is less than 95 %, and no resampling can go beyond the range. There the
   * interval is stretched about the median by the factor that makes it hold in 95 % of samples from
   * a normal distribution, found by simulation (index = n).
   */
  private static final double[] STRETCH = {0, 0, 12.5, 4.4, 1.67, 1.1};

  private final int rounds;
  private final int[][] draws;

  public ForkStatistics(int rounds, long seed) {
    this(rounds, RESAMPLES, seed);
  }

  ForkStatistics(int rounds, int resamples, long seed) {
    this.rounds = rounds;
    this.draws = new int[resamples][rounds];
    SplittableRandom random = new SplittableRandom(seed);
    for (int[] draw : draws) {
      Arrays.setAll(draw, i -> random.nextInt(rounds));
    }
  }

  /**
   * A value and how well it is known.
   *
   * @param interval95 holds the true value with 95 % probability; null if there was one round only
   */
  public record Estimate(double value, @Nullable Interval interval95) {}

  /** The ratios of one directory to another, and the geometric mean of their medians. */
  public record Ratios(Map<String, Estimate> kinds, Estimate mean) {}

  /** The median of a directory's samples of one kind, which are positive. */
  public Estimate median(double[] samples) {
    return estimate(logs(samples));
  }

  /** Ratios by kind, of positive samples of the same rounds. */
  public Ratios ratios(Map<String, double[]> numerator, Map<String, double[]> denominator) {
    int count = numerator.size();
    Map<String, Estimate> kinds = new LinkedHashMap<>();
    double[] meanDistribution = new double[draws.length];
    double mean = 0;
    for (Map.Entry<String, double[]> kind : numerator.entrySet()) {
      double[] logs = logRatios(kind.getValue(), denominator.get(kind.getKey()));
      double median = Medians.of(logs);
      double[] distribution = medians(logs);
      kinds.put(kind.getKey(), estimate(median, distribution));
      mean += median / count;
      for (int i = 0; i < distribution.length; i++) {
        meanDistribution[i] += distribution[i] / count;
      }
    }
    return new Ratios(kinds, estimate(mean, meanDistribution));
  }

  /** The ratio of two directories in one kind, sample by sample of the same round. */
  public Estimate ratio(double[] numerator, double @Nullable [] denominator) {
    return estimate(logRatios(numerator, denominator));
  }

  private Estimate estimate(double[] logs) {
    return estimate(Medians.of(logs), medians(logs));
  }

  private static double[] logRatios(double[] numerator, double @Nullable [] denominator) {
    Objects.requireNonNull(denominator, "the two sides have different kinds");
    double[] logs = new double[numerator.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(numerator[i] / denominator[i]);
    }
    return logs;
  }

  /**
   * The ratio of two medians of positive samples that do not belong together in pairs, such as
   * those of two runs: each side is resampled for itself. What the machine differed by between the
   * two is not in the interval. There is none if a side has one sample only.
   */
  public static Estimate ofTwoRuns(double[] numerator, double[] denominator, long seed) {
    return ofTwoRuns(numerator, denominator, RESAMPLES, seed);
  }

  static Estimate ofTwoRuns(double[] numerator, double[] denominator, int resamples, long seed) {
    double[] above = logs(numerator);
    double[] below = logs(denominator);
    ForkStatistics ofAbove = new ForkStatistics(above.length, resamples, seed);
    ForkStatistics ofBelow = new ForkStatistics(below.length, resamples, seed + 1);
    double[] distribution = ofAbove.medians(above);
    double[] other = ofBelow.medians(below);
    for (int i = 0; i < distribution.length; i++) {
      distribution[i] -= other[i];
    }
    Arrays.sort(distribution);
    // Of two sizes the smaller one asks for the wider interval.
    ForkStatistics smaller = above.length <= below.length ? ofAbove : ofBelow;
    double ratio = Medians.of(above) - Medians.of(below);
    return new Estimate(Math.exp(ratio), smaller.interval95(distribution, ratio));
  }

  private static double[] logs(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private Estimate estimate(double logValue, double[] distribution) {
    double[] sorted = distribution.clone();
    Arrays.sort(sorted);
    return new Estimate(Math.exp(logValue), interval95(sorted, logValue));
  }

  /** The median of each resample of the values, one value a round; in the order of the draws. */
  private double[] medians(double[] values) {
    double[] medians = new double[draws.length];
    double[] resample = new double[rounds];
    for (int i = 0; i < draws.length; i++) {
      for (int j = 0; j < rounds; j++) {
        resample[j] = values[draws[i][j]];
      }
      Arrays.sort(resample);
      medians[i] = Medians.ofSorted(resample);
    }
    return medians;
  }

  /** Of a sorted distribution. */
  private @Nullable Interval interval95(double[] distribution, double centre) {
    if (rounds < 2) {
      return null;
    }
    int last = distribution.length - 1;
    int low = (int) (ERROR / 2 * last);
    double stretch = rounds < STRETCH.length ? STRETCH[rounds] : 1;
    return new Interval(
        Math.exp(centre + (distribution[low] - centre) * stretch),
        Math.exp(centre + (distribution[last - low] - centre) * stretch));
  }
}
