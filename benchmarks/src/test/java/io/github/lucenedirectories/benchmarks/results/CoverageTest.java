// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.commons.statistics.inference.BinomialTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How often intervals hold the value that they are to hold, by the exact binomial test, and whether
 * that test finds those that are known to be wrong.
 */
class CoverageTest {
  private static final int COMPARISONS = 200;

  /* Of both numbers of forks together (Bonferroni). */
  private static final double ERROR = 0.05 / 2;

  /** Equal directories with noise and a few slow forks; half the width is a fault to be found. */
  @ParameterizedTest
  @ValueSource(ints = {4, 6})
  void intervalsOfReportsPassAndNarrowOnesDoNot(int forks) {
    int right = simulated(forks, 1);
    assertTrue(probability(right) >= ERROR, "held " + right);
    int narrow = simulated(forks, 0.5);
    assertTrue(probability(narrow) < ERROR && narrow < 0.95 * COMPARISONS, "held " + narrow);
  }

  private static double probability(int held) {
    return BinomialTest.withDefaults().test(COMPARISONS, held, 0.95).getPValue();
  }

  private static int simulated(int forks, double width) {
    Random random = new Random(forks);
    int held = 0;
    for (int i = 0; i < COMPARISONS; i++) {
      ForkStatistics statistics = new ForkStatistics(forks, 2000, i);
      Estimate ratio =
          statistics
              .ratios(Map.of("k", rates(forks, random)), Map.of("k", rates(forks, random)))
              .mean();
      Interval interval = Objects.requireNonNull(ratio.interval95());
      double value = Math.log(ratio.value());
      double low = value - (value - Math.log(interval.low())) * width;
      double high = value + (Math.log(interval.high()) - value) * width;
      held += low <= 0 && 0 <= high ? 1 : 0;
    }
    return held;
  }

  private static double[] rates(int forks, Random random) {
    return random
        .doubles(forks)
        .map(slow -> 1000 * Math.exp(0.03 * random.nextGaussian()) * (slow < 0.1 ? 0.7 : 1))
        .toArray();
  }
}
