// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a fork that searched measured.
 *
 * @param openings the first one of a warm fork, or one after each time that the index was closed
 * @param footprint when the last kind had ended
 * @param peakBytes the most memory that its control group had; null where the kernel does not say
 * @param cacheBytes the page cache of its control group then; null likewise
 * @param recall the share of the best hits that it found; null where it is unknown
 */
public record SearchSamples(
    Map<String, KindSamples> kinds,
    List<Opening> openings,
    ProcessReading footprint,
    @Nullable Long peakBytes,
    @Nullable Long cacheBytes,
    @Nullable Double recall) {

  /** What was measured of one kind of query: seconds by the clock, and figures by name. */
  public record KindSamples(
      Recorded latencies, double seconds, ProcessReading reads, Map<String, Double> figures) {
    public long queries() {
      return latencies.count();
    }

    public double rate() {
      return queries() / seconds;
    }

    KindSamples with(Map<String, Double> otherFigures) {
      return new KindSamples(latencies, seconds, reads, otherFigures);
    }

    @Nullable Double pausesPerSecond() {
      Long millis = reads.get(Value.COLLECTION_MILLIS);
      return millis == null ? null : Double.valueOf(millis / seconds);
    }
  }

  /** What it took to open the directory and a reader. */
  public record Opening(double seconds, ProcessReading reads) {}

  SearchSamples withMemory(@Nullable Long peak, @Nullable Long cache) {
    return new SearchSamples(kinds, openings, footprint, peak, cache, recall);
  }

  SearchSamples with(Map<String, KindSamples> all) {
    return new SearchSamples(all, openings, footprint, peakBytes, cacheBytes, recall);
  }

  public KindSamples kind(String name) {
    return Objects.requireNonNull(kinds.get(name), name);
  }
}
