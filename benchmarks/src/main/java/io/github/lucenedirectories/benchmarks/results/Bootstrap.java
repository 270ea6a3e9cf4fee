package io.github.lucenedirectories.benchmarks.results;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Percentile-bootstrap intervals of medians over rounds. One object draws its resamples once, so
 * that everything estimated with it resamples the same rounds together: the kinds of one round,
 * measured in one JVM, stay together, and a mean over kinds has the spread that it really has.
 */
final class Bootstrap {
  /* Enough for the 0.1 % tail of a corrected interval to rest on twenty resamples. */
  static final int RESAMPLES = 20_000;

  /*
   * The range of n values around their median holds the true median with probability 1 - 2^(1-n):
   * for fewer than six that is less than 95 %, and no resampling can go beyond the range. There the
   * interval is stretched about the median by the factor that makes it hold in 95 % of samples from
   * a normal distribution, found by simulation (index = n).
   */
  private static final double[] STRETCH = {0, 0, 12.5, 4.4, 1.67, 1.1};

  private final int[][] draws;
  private final int rounds;

  Bootstrap(int rounds, int resamples, long seed) {
    this.rounds = rounds;
    this.draws = new int[resamples][rounds];
    SplittableRandom random = new SplittableRandom(seed);
    for (int[] draw : draws) {
      Arrays.setAll(draw, i -> random.nextInt(rounds));
    }
  }

  /** The median of each resample of the values, one value a round; in the order of the draws. */
  double[] medians(double[] values) {
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

  /** The 95 % interval; null for a single round. */
  @Nullable Interval interval95(double[] distribution, double centre) {
    if (rounds < 2) {
      return null;
    }
    Interval plain = percentiles(distribution, 0.05);
    if (rounds >= STRETCH.length) {
      return plain;
    }
    double factor = STRETCH[rounds];
    return new Interval(
        centre - (centre - plain.low()) * factor, centre + (plain.high() - centre) * factor);
  }

  /** The interval for one of {@code count} claims made at once; null if the rounds are too few. */
  @Nullable Interval corrected(double[] distribution, int count) {
    return rounds < roundsFor(count) ? null : percentiles(distribution, 0.05 / count);
  }

  /** How many rounds an interval corrected for so many claims needs. */
  static int roundsFor(int count) {
    double error = 0.05 / count;
    return (int) Math.ceil(1 - Math.log(error) / Math.log(2));
  }

  private static Interval percentiles(double[] distribution, double error) {
    double[] sorted = distribution.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    int low = (int) Math.floor(error / 2 * last);
    return new Interval(sorted[low], sorted[last - low]);
  }
}
