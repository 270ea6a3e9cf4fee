package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Ratios;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
      held += assertNotNull95(estimate).contains(1.05) ? 1 : 0;
    }
    double share = (double) held / TRIALS;
    assertTrue(share >= 0.89 && share <= 0.985, "rounds=" + rounds + " held=" + share);
  }

  /** What slows a whole round down must not widen a ratio's interval. */
  @Test
  void driftBetweenRoundsCancels() {
    ForkStatistics statistics = new ForkStatistics(10, 1);
    double[] still = new double[10];
    Arrays.fill(still, 1);
    double[] drift = drift(10, new Random(5));
    Estimate calm =
        oneKind(statistics, forks(1, still, new Random(1)), forks(1, still, new Random(2)));
    Estimate drifting =
        oneKind(statistics, forks(1, drift, new Random(1)), forks(1, drift, new Random(2)));
    assertEquals(calm.value(), drifting.value(), 1e-9);
    assertEquals(assertNotNull95(calm).halfWidth(), assertNotNull95(drifting).halfWidth(), 1e-9);
    double[] alone = forks(1, drift, new Random(1));
    assertTrue(
        assertNotNull95(statistics.median(alone)).halfWidth()
            > 3 * assertNotNull95(calm).halfWidth(),
        "the drift is there to be seen");
  }

  /** Of 20 equal kinds, some 95 % interval nearly always misses 1; the corrected ones seldom do. */
  @Test
  void correctedIntervalsHoldTogether() {
    Random random = new Random(11);
    ForkStatistics statistics = new ForkStatistics(12, 5000, 1);
    int trials = 60;
    int plainMisses = 0;
    int correctedMisses = 0;
    for (int trial = 0; trial < trials; trial++) {
      Ratios ratios = equalKinds(statistics, 20, 12, random);
      plainMisses +=
          ratios.kinds().values().stream().allMatch(e -> assertNotNull95(e).contains(1)) ? 0 : 1;
      correctedMisses +=
          ratios.kinds().values().stream().allMatch(e -> notNull(e.corrected()).contains(1))
              ? 0
              : 1;
    }
    assertTrue(plainMisses > trials / 3, "plain=" + plainMisses);
    assertTrue(correctedMisses < trials / 3, "corrected=" + correctedMisses);
  }

  @Test
  void meanOverKindsIsTheirGeometricMeanAndNarrower() {
    Ratios ratios = equalKinds(new ForkStatistics(10, 1), 20, 10, new Random(2));
    double logs =
        ratios.kinds().values().stream()
            .mapToDouble(e -> Math.log(e.value()))
            .average()
            .orElseThrow();
    assertEquals(Math.exp(logs), ratios.mean().value(), 1e-9);
    double narrowest =
        ratios.kinds().values().stream()
            .mapToDouble(e -> assertNotNull95(e).halfWidth())
            .min()
            .orElseThrow();
    assertTrue(assertNotNull95(ratios.mean()).halfWidth() < narrowest);
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
        assertNotNull95(statistics.ratios(together, base).mean()).halfWidth()
            > 3 * assertNotNull95(apart.mean()).halfWidth());
  }

  @Test
  void oneRoundHasNoIntervalAndNoVerdict() {
    Estimate estimate = oneKind(new ForkStatistics(1, 1), new double[] {5}, new double[] {1});
    assertEquals(5, estimate.value(), 1e-9);
    assertNull(estimate.interval95());
    assertNull(estimate.corrected());
    assertEquals("same", Interval.verdict(null));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 21, 43})
  void correctionNeedsRoundsEnoughForItsTail(int kinds) {
    int needed = ForkStatistics.roundsForCorrection(kinds);
    assertTrue(Math.pow(2, 1 - needed) <= 0.05 / kinds);
    assertFalse(Math.pow(2, 2 - needed) <= 0.05 / kinds);
    assertNull(firstOfEqualKinds(kinds, needed - 1).corrected());
    assertNotNull(firstOfEqualKinds(kinds, needed).corrected());
  }

  private static Estimate firstOfEqualKinds(int kinds, int rounds) {
    ForkStatistics statistics = new ForkStatistics(rounds, 2000, 1);
    return notNull(equalKinds(statistics, kinds, rounds, new Random(1)).kinds().get("kind 0"));
  }

  @Test
  void sidesOfDifferentLengthAreRefused() {
    ForkStatistics statistics = new ForkStatistics(2, 1);
    assertThrows(
        IllegalArgumentException.class,
        () -> oneKind(statistics, new double[] {1, 2}, new double[] {1}));
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
    assertEquals(0.5, ofTwoRuns(new double[] {3, 1, 2, 2.5, 1.5}, four).value(), 1e-12);
    assertEquals(new Interval(1, 1), ofTwoRuns(new double[] {4, 4}, four).interval95());
    assertNull(ofTwoRuns(new double[] {3}, four).interval95());
    assertNull(ofTwoRuns(four, new double[] {3}).interval95());
  }

  private static Estimate ofTwoRuns(double[] above, double[] below) {
    return ForkStatistics.ofTwoRuns(above, below, 1);
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
      held += assertNotNull95(ratio).contains(1.2) ? 1 : 0;
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
    return notNull(statistics.ratios(Map.of("k", one), Map.of("k", other)).kinds().get("k"));
  }

  private static Interval assertNotNull95(Estimate estimate) {
    return notNull(estimate.interval95());
  }

  private static <T> T notNull(@Nullable T value) {
    assertNotNull(value);
    return value;
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
