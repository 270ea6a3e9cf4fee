// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Ratios, means and medians of samples whose truth is known. */
class AnalysisTest {
  private static final int FORKS = 12;
  private final MadeUp made =
      new MadeUp(FORKS, 0.01).control().column("Ram", 1.2, 0.8).column("Nio", 0.5, 2);

  private static Ratio ratio(Results results, String directory, String task) {
    return results.ratio(directory, MadeUp.BASE, task).orElseThrow();
  }

  @Test
  void ratiosAreOfTheColumnToTheBaseline() {
    Results results = made.results();
    Ratio faster = ratio(results, "Ram", "Kind7");
    assertEquals(1.2, faster.ratio(), 0.02);
    assertEquals("faster", faster.verdict());
    Interval interval = Objects.requireNonNull(faster.interval95());
    assertTrue(interval.low() < faster.ratio() && faster.ratio() < interval.high());
    assertEquals("slower", ratio(results, "Nio", "Kind7").verdict());
    assertEquals("same", ratio(results, Results.controlOf(MadeUp.BASE), MadeUp.TIME).verdict());
    assertEquals(0.8, ratio(results, "Ram", MadeUp.TIME).ratio(), 0.02);
    assertEquals("faster", ratio(results, "Ram", MadeUp.TIME).verdict());
    assertEquals("slower", ratio(results, "Nio", MadeUp.TIME).verdict());
  }

  @Test
  void meansAreOverAllKinds() {
    Results results = made.times("Ram", "Kind2", 0.5, false).results();
    Ratio mean = results.mean("Ram", MadeUp.BASE).orElseThrow();
    assertEquals(1.2 * Math.pow(0.5, 1.0 / 20), mean.ratio(), 0.02);
    assertEquals("faster", mean.verdict());
    assertTrue(Objects.requireNonNull(mean.interval95()).contains(mean.ratio()));
  }

  @Test
  void whatWasNotMeasuredHasNoRatio() {
    Results results = made.without("Ram", MadeUp.TIME).results();
    assertTrue(results.result("Ram", MadeUp.TIME).isEmpty());
    assertTrue(results.ratio("Ram", MadeUp.BASE, MadeUp.TIME).isEmpty());
    assertTrue(results.ratio("Ram", MadeUp.BASE, MadeUp.COUNT).isEmpty());
    assertEquals(7, results.result("Ram", MadeUp.COUNT).orElseThrow().median());
    assertEquals(FORKS, results.result("Ram", "Kind0").orElseThrow().samples().size());
    assertEquals(
        List.of(1.0, 1.0), results.result("Ram", "Kind0").orElseThrow().repetitions().get(3));
    assertNotNull(results.result("Ram", "Kind0").orElseThrow().interval95());
  }

  @Test
  void theBestIsAnotherOneInEachFigure() {
    Analysis<Map<String, Double>> analysis =
        made.times("Nio", "Kind3", 3, false).without("Nio", "Kind5").analysis();
    String best = Results.bestOf(List.of("Ram", "Nio"));
    analysis.compareAll(best);
    analysis.compareAll(Results.bestOf(List.of("Ram", "Absent")));
    Results results = analysis.results(Map.of(), List.of());
    assertEquals(1, results.ratio("Ram", best, "Kind7").orElseThrow().ratio());
    assertEquals(1, results.ratio("Nio", best, "Kind3").orElseThrow().ratio());
    assertEquals(0.8, results.ratio("Ram", best, "Kind3").orElseThrow().ratio(), 0.02);
    assertEquals(1, results.ratio("Ram", best, MadeUp.TIME).orElseThrow().ratio());
    assertEquals(1 / 1.2, results.ratio(MadeUp.BASE, best, "Kind7").orElseThrow().ratio(), 0.02);
    assertTrue(results.ratio("Ram", best, "Kind5").isEmpty(), "not known which is the best");
    assertTrue(results.mean(MadeUp.BASE, best).orElseThrow().ratio() < 1);
    assertTrue(results.means().stream().noneMatch(mean -> mean.baseline().contains("Absent")));
  }

  @Test
  void aDriftOfTheMachineIsNotNoise() {
    MadeUp drifting = new MadeUp(FORKS, 0.001).column("Ram", 1.1, 1);
    for (String label : List.of(MadeUp.BASE, "Ram")) {
      drifting.times(label, "Kind0", 1.5, true);
    }
    Ratio ratio = ratio(drifting.results(), "Ram", "Kind0");
    assertEquals(1.1, ratio.ratio(), 0.005);
    assertTrue(Objects.requireNonNull(ratio.interval95()).halfWidth() < 0.01);
  }
}
