package io.github.lucenedirectories.benchmarks.search;

import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one searching fork measured.
 *
 * @param queriesPerSecond for each kind, one value for each repetition, in order
 * @param directory what the directory says of itself
 * @param beside what went on in the process meanwhile; null if it was not watched
 */
public record SearchSamples(
    Map<String, List<Double>> queriesPerSecond, String directory, @Nullable Span beside) {

  /** Rates alone. */
  public static SearchSamples of(Map<String, List<Double>> queriesPerSecond) {
    return new SearchSamples(queriesPerSecond, "", null);
  }

  /** The samples of a kind that was measured. */
  public List<Double> of(String kind) {
    return Objects.requireNonNull(queriesPerSecond.get(kind), kind);
  }
}
