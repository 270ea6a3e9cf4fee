package io.github.lucenedirectories.benchmarks.measures;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What all forks of one column found.
 *
 * @param label the column's name
 * @param forks in the order of the rounds; a measure that a fork could not take is absent
 */
public record Measured(String label, List<Map<Measure, Figure>> forks) {

  /** Whether every fork has taken a measure. */
  boolean has(Measure measure) {
    return forks.stream().allMatch(fork -> fork.containsKey(measure));
  }

  /** A measure that every fork has taken, in the order of the rounds. */
  List<Figure> figures(Measure measure) {
    return forks.stream()
        .map(fork -> Objects.requireNonNull(fork.get(measure), measure.task()))
        .toList();
  }

  double[] values(Measure measure) {
    return figures(measure).stream().mapToDouble(Figure::value).toArray();
  }
}
