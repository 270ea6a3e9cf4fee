package io.github.lucenedirectories.benchmarks.results;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Medians over forks, and ratios between two directories' forks with bootstrap intervals.
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
 * <p>All is done in logarithms, so that a ratio and its inverse are treated alike.
 */
public final class ForkStatistics {
  private final Bootstrap bootstrap;

  /**
   * @param rounds how many forks each directory has
   * @param seed of the resampling
   */
  public ForkStatistics(int rounds, long seed) {
    this(rounds, Bootstrap.RESAMPLES, seed);
  }

  ForkStatistics(int rounds, int resamples, long seed) {
    this.bootstrap = new Bootstrap(rounds, resamples, seed);
  }

  /**
   * The ratios of one directory to another.
   *
   * @param kinds in the order of the samples
   * @param mean the geometric mean over kinds, of the ratios' medians
   */
  public record Ratios(Map<String, Estimate> kinds, Estimate mean) {}

  /**
   * The median of a directory's samples of one kind.
   *
   * @param samples positive, one a round
   */
  public Estimate median(double[] samples) {
    double[] logs = new double[samples.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(samples[i]);
    }
    return estimate(Medians.of(logs), bootstrap.medians(logs), 1);
  }

  /**
   * Ratios, sample by sample of the same round.
   *
   * @param numerator for each kind, positive samples in the order of the rounds
   * @param denominator the same kinds
   */
  public Ratios ratios(Map<String, double[]> numerator, Map<String, double[]> denominator) {
    int count = numerator.size();
    Map<String, Estimate> kinds = new LinkedHashMap<>();
    double @Nullable [] meanDistribution = null;
    double mean = 0;
    for (Map.Entry<String, double[]> kind : numerator.entrySet()) {
      double[] logs = logRatios(kind.getValue(), denominator.get(kind.getKey()));
      double median = Medians.of(logs);
      double[] distribution = bootstrap.medians(logs);
      kinds.put(kind.getKey(), estimate(median, distribution, count));
      mean += median / count;
      meanDistribution =
          meanDistribution == null ? new double[distribution.length] : meanDistribution;
      for (int i = 0; i < distribution.length; i++) {
        meanDistribution[i] += distribution[i] / count;
      }
    }
    if (meanDistribution == null) {
      throw new IllegalArgumentException("no kinds");
    }
    return new Ratios(kinds, estimate(mean, meanDistribution, 1));
  }

  /** How many rounds it takes to say something of so many kinds at once. */
  public static int roundsForCorrection(int kinds) {
    return Bootstrap.roundsFor(kinds);
  }

  private Estimate estimate(double logValue, double[] distribution, int claims) {
    return new Estimate(
        Math.exp(logValue),
        exp(bootstrap.interval95(distribution, logValue)),
        exp(bootstrap.corrected(distribution, claims)));
  }

  private static @Nullable Interval exp(@Nullable Interval log) {
    return log == null ? null : new Interval(Math.exp(log.low()), Math.exp(log.high()));
  }

  private static double[] logRatios(double[] numerator, double @Nullable [] denominator) {
    if (denominator == null || denominator.length != numerator.length) {
      throw new IllegalArgumentException("the two sides have different kinds or rounds");
    }
    double[] logs = new double[numerator.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(numerator[i] / denominator[i]);
    }
    return logs;
  }
}
