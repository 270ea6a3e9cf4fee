package io.github.lucenedirectories.benchmarks.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoverageSectionTest {

  /** Results whose intervals hold 1 as often as told. */
  static Results results(int comparisons, double share) {
    Random random = new Random(5);
    List<Result> results = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    for (int i = 1; i <= comparisons; i++) {
      double ratio = Math.exp(0.1 * random.nextGaussian());
      double reach = i <= comparisons * share ? Math.abs(Math.log(ratio)) + 0.05 : 0.0001;
      Interval interval = new Interval(ratio * Math.exp(-reach), ratio * Math.exp(reach));
      String task = CoverageSection.task("MedTerm", i);
      results.add(
          new Result("self-check", "A", task, "queries/s", 5, null, List.of(5.0), List.of()));
      ratios.add(new Ratio("self-check", "A (again)", "A", task, ratio, interval, null, "same"));
    }
    return new Results(Map.of(), results, ratios, List.of(), List.of())
        .shown(new Presentation("A with itself", List.of(), List.of("A"), List.of()));
  }

  @Test
  void countsAndItsVerdictAreTold() {
    List<String> good = new CoverageSection(results(200, 0.95)).lines();
    assertTrue(good.get(1).matches("MedTerm +200 +190 +95.0 % .* yes"), good.get(1));
    List<String> bad = new CoverageSection(results(200, 0.85)).lines();
    assertTrue(bad.get(1).matches("MedTerm +200 +170 +85.0 % .* no: too narrow"), bad.get(1));
    List<String> wide = new CoverageSection(results(200, 1)).lines();
    assertTrue(wide.get(1).endsWith("no: wider than needed"), wide.get(1));
  }

  @Test
  void pageShowsThem() {
    StringBuilder html = new StringBuilder();
    new CoverageSection(results(200, 0.85)).write(html);
    assertTrue(html.toString().contains("no: too narrow"));
    assertEquals(30, html.toString().split("<g class='slower'>", -1).length - 1);
  }
}
