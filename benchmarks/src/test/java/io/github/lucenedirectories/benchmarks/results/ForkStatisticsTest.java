// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Ratios;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Intervals on made-up forks whose true ratio is known. All seeds are fixed. */
class ForkStatisticsTest {
  private static final double NOISE = 0.02;
  private static final int TRIALS = 300;

  /** The share of samples whose 95 % interval holds the truth, for few rounds and for many. */
  @ParameterizedTest
  @CsvSource({"2", "3", "4", "5", "6", "10", "16"})
  void intervalHoldsTheTruthAboutAsOftenAsItSays(int rounds) {
    Random random = new Random(rounds);
    ForkStatistics statistics = new ForkStatistics(rounds, 2000, 1);
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] drift = drift(rounds, random);
      Estimate estimate = oneKind(statistics, forks(1.05, drift, random), forks(1, drift, random));
      held += interval95(estimate).contains(1.05) ? 1 : 0;
    }
    double share = (double) held / TRIALS;
    assertTrue(share >= 0.89 && share <= 0.985, "rounds=" + rounds + " held=" + share);
  }

  /** Kinds of one fork that err together make the mean less certain than kinds that do not. */
  @Test
  void meanKnowsThatKindsOfOneForkErrTogether() {
    Random random = new Random(9);
    ForkStatistics statistics = new ForkStatistics(10, 1);
    double[] fork = new double[10];
    for (int round = 0; round < fork.length; round++) {
      fork[round] = Math.exp(0.05 * random.nextGaussian());
    }
    Map<String, double[]> together = new LinkedHashMap<>();
    Map<String, double[]> base = new LinkedHashMap<>();
    for (int kind = 0; kind < 20; kind++) {
      together.put("kind " + kind, forks(1, fork, random));
      base.put("kind " + kind, forks(1, drift(10, new Random(0)), random));
    }
    Ratios apart = equalKinds(statistics, 20, 10, random);
    assertTrue(
        interval95(statistics.ratios(together, base).mean()).halfWidth()
            > 3 * interval95(apart.mean()).halfWidth());
  }

  @Test
  void oneRoundHasNoIntervalAndNoVerdict() {
    Estimate estimate = oneKind(new ForkStatistics(1, 1), new double[] {5}, new double[] {1});
    assertEquals(5, estimate.value(), 1e-9);
    assertNull(estimate.interval95());
    assertEquals("same", Interval.verdict(null));
  }

  @Test
  void medians() {
    assertEquals(2, Medians.of(new double[] {3, 1, 2}));
    assertEquals(2.5, Medians.of(new double[] {4, 3, 1, 2}));
    assertThrows(IllegalArgumentException.class, () -> Medians.of(new double[0]));
  }

  @Test
  void ratioOfTwoRunsIsThatOfTheMedians() {
    double[] four = {4, 4, 4};
    double[] one = {3};
    double[] five = {3, 1, 2, 2.5, 1.5};
    assertEquals(0.5, ForkStatistics.ofTwoRuns(five, four, 1).value(), 1e-12);
    assertEquals(new Interval(1, 1), ForkStatistics.ofTwoRuns(four, four, 1).interval95());
    assertNull(ForkStatistics.ofTwoRuns(one, four, 1).interval95());
    assertNull(ForkStatistics.ofTwoRuns(four, one, 1).interval95());
  }

  /** At least about as often as it says: few samples make it wider than it need be. */
  @ParameterizedTest
  @CsvSource({"2,2", "2,6", "3,3", "4,4", "4,8", "5,5", "6,6", "8,6", "12,12"})
  void intervalOfTwoRunsHoldsTheTruth(int above, int below) {
    Random random = new Random(above * 100 + below);
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] numerator = rates(1.2, above, random);
      Estimate ratio = ForkStatistics.ofTwoRuns(numerator, rates(1, below, random), 2000, trial);
      held += interval95(ratio).contains(1.2) ? 1 : 0;
    }
    assertTrue(held >= 0.91 * TRIALS, "held " + held + " of " + TRIALS);
  }

  private static double[] rates(double rate, int count, Random random) {
    return random
        .doubles(count)
        .map(ignored -> rate * Math.exp(0.05 * random.nextGaussian()))
        .toArray();
  }

  private static Ratios equalKinds(
      ForkStatistics statistics, int kinds, int rounds, Random random) {
    Map<String, double[]> one = new LinkedHashMap<>();
    Map<String, double[]> other = new LinkedHashMap<>();
    double[] drift = drift(rounds, random);
    for (int kind = 0; kind < kinds; kind++) {
      one.put("kind " + kind, forks(1, drift, random));
      other.put("kind " + kind, forks(1, drift, random));
    }
    return statistics.ratios(one, other);
  }

  private static Estimate oneKind(ForkStatistics statistics, double[] one, double[] other) {
    return Objects.requireNonNull(
        statistics.ratios(Map.of("k", one), Map.of("k", other)).kinds().get("k"));
  }

  private static Interval interval95(Estimate estimate) {
    return Objects.requireNonNull(estimate.interval95());
  }

  /** Rates of some forks: a true rate, times the round's drift, times noise. */
  private static double[] forks(double rate, double[] drift, Random random) {
    double[] rates = new double[drift.length];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = 1000 * rate * drift[i] * Math.exp(NOISE * random.nextGaussian());
    }
    return rates;
  }

  /** A machine that is up to a quarter slower in some rounds. */
  private static double[] drift(int rounds, Random random) {
    double[] drift = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      drift[i] = 1 - random.nextDouble() / 4;
    }
    return drift;
  }
}
