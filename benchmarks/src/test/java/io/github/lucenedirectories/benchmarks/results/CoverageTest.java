package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

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

  /** The intervals that reports print, on equal directories with noise and a few slow forks. */
  @Test
  void intervalsOfReportsPass() {
    for (int forks : new int[] {4, 6}) {
      Coverage coverage = simulated(forks, 1);
      assertEquals("yes", coverage.verdict(2), coverage.toString());
    }
  }

  /** Intervals of half of their width are a fault that the check has to find. */
  @Test
  void narrowIntervalsAreTold() {
    for (int forks : new int[] {4, 6}) {
      Coverage coverage = simulated(forks, 0.5);
      assertEquals("too narrow", coverage.verdict(2), coverage.toString());
      assertTrue(coverage.interval95().high() < 0.95, coverage.toString());
    }
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
