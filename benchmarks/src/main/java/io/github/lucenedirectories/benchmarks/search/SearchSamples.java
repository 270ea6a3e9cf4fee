package io.github.lucenedirectories.benchmarks.search;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one searching fork measured.
 *
 * @param queriesPerSecond for each kind, one value for each repetition, in order
 */
public record SearchSamples(Map<String, List<Double>> queriesPerSecond) {

  /** The samples of a kind that was measured. */
  public List<Double> of(String kind) {
    return Objects.requireNonNull(queriesPerSecond.get(kind), kind);
  }
}
