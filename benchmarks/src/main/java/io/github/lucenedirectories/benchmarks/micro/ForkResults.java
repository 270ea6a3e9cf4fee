package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** One workload's samples, their medians and their ratios, as {@code results.json} holds them. */
final class ForkResults {
  private static final String RATE = "/s";

  private final String workload;
  private final ForkStatistics statistics;
  private final List<Result> results = new ArrayList<>();
  private final List<Ratio> ratios = new ArrayList<>();

  /**
   * No samples yet.
   *
   * @param forks how many samples each task has on each directory
   * @param seed of the resampling
   */
  ForkResults(String workload, int forks, long seed) {
    this.workload = workload;
    this.statistics = new ForkStatistics(forks, seed);
  }

  /**
   * Adds the samples of one task on one directory.
   *
   * @param unit ends in {@code /s} for what is better when higher; all else is better when lower
   * @param samples positive, one a fork in the order of the rounds
   * @param repetitions for each fork, what its sample comes from; may be empty
   */
  void add(
      String directory,
      String task,
      String unit,
      List<Double> samples,
      List<List<Double>> repetitions) {
    Estimate median = statistics.median(array(samples));
    results.add(
        new Result(
            workload,
            directory,
            task,
            unit,
            rounded(median.value()),
            median.interval95(),
            samples.stream().map(ForkResults::rounded).toList(),
            repetitions.stream()
                .map(fork -> fork.stream().map(ForkResults::rounded).toList())
                .toList()));
  }

  /** Adds the ratio of two directories in a task that both have; above 1 the first is faster. */
  void compare(String directory, String baseline, String task) {
    Result one = result(directory, task);
    Map<String, double[]> first = Map.of(task, array(one.samples()));
    Map<String, double[]> second = Map.of(task, array(result(baseline, task).samples()));
    boolean rate = one.unit().endsWith(RATE);
    Estimate estimate =
        Objects.requireNonNull(
            (rate ? statistics.ratios(first, second) : statistics.ratios(second, first))
                .kinds()
                .get(task));
    ratios.add(
        new Ratio(
            workload,
            directory,
            baseline,
            task,
            estimate.value(),
            estimate.interval95(),
            estimate.corrected(),
            estimate.verdict().name().toLowerCase(Locale.ROOT)));
  }

  /** The samples of a task on a directory, and their median. */
  Result result(String directory, String task) {
    return results.stream()
        .filter(r -> r.directory().equals(directory) && r.task().equals(task))
        .findFirst()
        .orElseThrow();
  }

  /** A directory's first ratio in a task and its interval for a table; empty texts without any. */
  List<String> ratioCells(String directory, String task) {
    for (Ratio ratio : ratios) {
      if (ratio.directory().equals(directory) && ratio.task().equals(task)) {
        return List.of(MicroTable.factor(ratio.ratio()), MicroTable.range(ratio.interval95()));
      }
    }
    return List.of("", "");
  }

  /** All of it, with the facts about where it was measured. */
  Results asResults(Map<String, Object> environment) {
    return new Results(
        environment, List.copyOf(results), List.copyOf(ratios), List.of(), List.of());
  }

  private static double[] array(List<Double> samples) {
    return samples.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double rounded(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.6g", value));
  }
}
