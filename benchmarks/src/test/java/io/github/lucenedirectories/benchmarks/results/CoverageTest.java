package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The binomial test on intervals that are known to be wrong. */
class CoverageTest {
  private static final int COMPARISONS = 200;

  @Test
  void verdictAllowsForSeveralTests() {
    // p is 0.014: enough for one test, not for one of four.
    Coverage coverage = new Coverage(182, COMPARISONS);
    assertEquals(0.0144, coverage.probability(), 1e-4);
    // Clopper and Pearson's.
    assertEquals(0.4439, new Coverage(8, 10).interval95().low(), 1e-4);
    assertEquals("too narrow", coverage.verdict(1));
    assertEquals("yes", coverage.verdict(4));
    assertEquals("wider than needed", new Coverage(COMPARISONS, COMPARISONS).verdict(1));
  }

  @Test
  void comparisonsOfADirectoryWithItselfAreCounted() {
    List<Results.Ratio> ratios = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      Interval interval = new Interval(i % 20 == 0 ? 1.01 : 0.9, 1.1);
      String task = Coverage.task("Term", i);
      ratios.add(new Results.Ratio("test", "A (again)", "A", task, 1, interval, null, "same"));
    }
    Results results = new Results(Map.of(), List.of(), ratios, List.of(), List.of());
    Results checked = Coverage.checked(results);
    assertEquals(
        List.of("Term", "40", "38", "95.0 %"),
        checked.tables().getFirst().rows().getFirst().subList(0, 4));
    assertTrue(Objects.requireNonNull(checked.verdict()).trusted());
  }

  /** Equal directories with noise and a few slow forks; half the width is a fault to be found. */
  @ParameterizedTest
  @ValueSource(ints = {4, 6})
  void intervalsOfReportsPassAndNarrowOnesDoNot(int forks) {
    Coverage right = simulated(forks, 1);
    assertEquals("yes", right.verdict(2), right.toString());
    Coverage narrow = simulated(forks, 0.5);
    assertEquals("too narrow", narrow.verdict(2), narrow.toString());
    assertTrue(narrow.interval95().high() < 0.95, narrow.toString());
  }

  private static Coverage simulated(int forks, double width) {
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
    return new Coverage(held, COMPARISONS);
  }

  private static double[] rates(int forks, Random random) {
    return random
        .doubles(forks)
        .map(slow -> 1000 * Math.exp(0.03 * random.nextGaussian()) * (slow < 0.1 ? 0.7 : 1))
        .toArray();
  }
}
