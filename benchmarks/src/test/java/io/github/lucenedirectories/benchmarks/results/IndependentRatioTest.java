package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndependentRatioTest {
  private static final int TRIALS = 250;

  @Test
  void ratioIsThatOfTheMedians() {
    Estimate ratio =
        IndependentRatio.of(new double[] {3, 1, 2, 2.5, 1.5}, new double[] {4, 4, 4}, 1);
    assertEquals(0.5, ratio.value(), 1e-12);
    Estimate same = IndependentRatio.of(new double[] {4, 4}, new double[] {4, 4, 4}, 1);
    assertEquals(new Interval(1, 1), same.interval95());
  }

  @Test
  void oneSampleHasNoInterval() {
    assertNull(IndependentRatio.of(new double[] {3}, new double[] {4, 5}, 1).interval95());
    assertNull(IndependentRatio.of(new double[] {4, 5}, new double[] {3}, 1).interval95());
  }

  /** At least about as often as it says: few samples make it wider than it need be. */
  @ParameterizedTest
  @CsvSource({"2,2", "2,6", "3,3", "4,4", "4,8", "5,5", "6,6", "8,6", "12,12"})
  void intervalHoldsTheTruth(int above, int below) {
    Random random = new Random(above * 100 + below);
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      Estimate ratio =
          IndependentRatio.of(rates(1.2, above, random), rates(1, below, random), 2000, trial);
      held += Objects.requireNonNull(ratio.interval95()).contains(1.2) ? 1 : 0;
    }
    assertTrue(held >= 0.91 * TRIALS, "held " + held + " of " + TRIALS);
  }

  private static double[] rates(double rate, int count, Random random) {
    return random
        .doubles(count)
        .map(ignored -> rate * Math.exp(0.05 * random.nextGaussian()))
        .toArray();
  }
}
