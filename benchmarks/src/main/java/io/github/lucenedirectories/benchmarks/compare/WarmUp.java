package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.List;

/** Whether the forks had warmed up before they measured. */
final class WarmUp {
  /** A rise from which on it is told. */
  static final double NOTABLE = 0.03;

  private final Results results;

  WarmUp(Results results) {
    this.results = results;
  }

  /**
   * By what share speeds rose from the first third of a fork's repetitions to the last: the median
   * over all forks and kinds.
   */
  double rise() {
    return Medians.of(
            results.results().stream()
                .flatMap(result -> result.repetitions().stream())
                .map(WarmUp::ratio)
                .toList())
        - 1;
  }

  private static double ratio(List<Double> repetitions) {
    int third = Math.max(1, repetitions.size() / 3);
    List<Double> first = repetitions.subList(0, third);
    List<Double> last = repetitions.subList(repetitions.size() - third, repetitions.size());
    return Medians.of(last) / Medians.of(first);
  }
}
