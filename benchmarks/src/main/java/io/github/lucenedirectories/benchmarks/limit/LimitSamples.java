package io.github.lucenedirectories.benchmarks.limit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one fork measured.
 *
 * @param kinds by their names, in the order of the task file
 * @param openings the first, in a warm fork, or one before each kind
 * @param mergeSeconds how long the merge took that ran during the last kind; null if none did
 * @param peakBytes the most memory that its group had until then; null where nobody knows
 */
record LimitSamples(
    Map<String, KindSamples> kinds,
    List<Opening> openings,
    @Nullable Double mergeSeconds,
    @Nullable Long peakBytes) {

  LimitSamples withPeak(@Nullable Long bytes) {
    return new LimitSamples(kinds, openings, mergeSeconds, bytes);
  }
}
