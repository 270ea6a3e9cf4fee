package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import io.github.lucenedirectories.benchmarks.watch.Footprint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one fork measured.
 *
 * @param kinds by their names, in the order of the task file
 * @param openings the first, in a warm fork, or one before each kind
 * @param mergeSeconds how long the merge took that ran during the last kind; null if none did
 * @param footprint of the process, at the end
 * @param peakBytes the most memory that its group had until then; null where nobody knows
 */
public record LimitSamples(
    Map<String, KindSamples> kinds,
    List<Opening> openings,
    @Nullable Double mergeSeconds,
    Footprint footprint,
    @Nullable Long peakBytes) {

  LimitSamples withPeak(@Nullable Long bytes) {
    return new LimitSamples(kinds, openings, mergeSeconds, footprint, bytes);
  }

  /** The rates alone of all columns, by their labels. */
  public static Map<String, List<SearchSamples>> rates(Map<String, List<LimitSamples>> columns) {
    Map<String, List<SearchSamples>> rates = new LinkedHashMap<>();
    columns.forEach(
        (label, forks) -> rates.put(label, forks.stream().map(LimitSamples::rates).toList()));
    return rates;
  }

  /** The rates alone, one of each kind. */
  private SearchSamples rates() {
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    kinds.forEach((kind, found) -> rates.put(kind, List.of(found.queriesPerSecond())));
    return SearchSamples.of(rates);
  }
}
