package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.page.CoverageSection;
import io.github.lucenedirectories.benchmarks.results.Estimate.Verdict;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons of a directory with itself, each analysed as {@code compare} analyses its own, and
 * kept apart by a number after the name of the kind.
 */
final class SelfCheck {
  private static final String MEAN = "geometric mean";

  private final String workload;
  private final List<Result> results = new ArrayList<>();
  private final List<Ratio> ratios = new ArrayList<>();

  SelfCheck(String workload) {
    this.workload = workload;
  }

  /**
   * Adds a comparison.
   *
   * @param number of it, from 1 on
   * @param samples of both columns
   */
  void add(
      int number,
      String label,
      String baseline,
      Map<String, List<SearchSamples>> samples,
      int forks,
      long seed) {
    Analysis analysis = new Analysis(workload, samples, forks, seed);
    analysis.compare(label, baseline);
    for (Result result : analysis.results()) {
      results.add(
          new Result(
              workload,
              result.directory(),
              CoverageSection.task(result.task(), number),
              result.unit(),
              result.median(),
              result.interval95(),
              result.samples(),
              List.of()));
    }
    for (Ratio ratio : analysis.ratios()) {
      ratios.add(ratio(label, baseline, ratio.task(), number, ratio.ratio(), ratio.interval95()));
    }
    for (Mean mean : analysis.means()) {
      if (mean.tasks() > 1) {
        ratios.add(ratio(label, baseline, MEAN, number, mean.ratio(), mean.interval95()));
      }
    }
  }

  private Ratio ratio(
      String label,
      String baseline,
      String kind,
      int number,
      double ratio,
      @Nullable Interval interval) {
    boolean same = interval == null || interval.contains(1);
    Verdict verdict = same ? Verdict.SAME : ratio > 1 ? Verdict.FASTER : Verdict.SLOWER;
    return new Ratio(
        workload,
        label,
        baseline,
        CoverageSection.task(kind, number),
        ratio,
        interval,
        null,
        verdict.name().toLowerCase(Locale.ROOT));
  }

  List<Result> results() {
    return List.copyOf(results);
  }

  List<Ratio> ratios() {
    return List.copyOf(ratios);
  }
}
