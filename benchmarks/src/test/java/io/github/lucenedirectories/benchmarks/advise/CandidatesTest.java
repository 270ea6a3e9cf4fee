package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.compare.Analysis;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.limit.KindSamples;
import io.github.lucenedirectories.benchmarks.limit.LimitMeasures;
import io.github.lucenedirectories.benchmarks.limit.LimitSamples;
import io.github.lucenedirectories.benchmarks.limit.Opening;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.watch.Footprint;
import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What forks measured, made into candidates; and what their counts of queries and reads allow. */
class CandidatesTest {
  private static final int FORKS = 2;
  private static final ProcessCounters UNTOLD = new ProcessCounters(null, null, null, null);
  private static final Footprint NONE = new Footprint(null, null, null);
  private static final String BASELINE = "MMapDirectory";
  private static final String AGAIN = "MMapDirectory (again)";
  private static final String HYBRID = "HybridDirectory";
  private static final String NIO = "NioDirectory";

  private static KindSamples kind(long queries, long nanos, ProcessCounters reads) {
    Histogram latencies = new Histogram(EncodedHistogram.DIGITS);
    latencies.recordValueWithCount(nanos, queries);
    return new KindSamples(EncodedHistogram.encode(latencies), queries, 1, reads, 0, Map.of());
  }

  private static LimitSamples fork(long terms, long phrases, long nanos) {
    Map<String, KindSamples> kinds = new LinkedHashMap<>();
    kinds.put("Term", kind(terms, 1000, UNTOLD));
    kinds.put("Phrase", kind(phrases, nanos, UNTOLD));
    return new LimitSamples(kinds, List.of(new Opening(1, UNTOLD)), null, NONE, null);
  }

  /** The same in all forks of a column, but for the last, which has fewer queries. */
  private static Map<String, List<LimitSamples>> samples(long hybridPhrases, long nioTerms) {
    Map<String, List<LimitSamples>> samples = new LinkedHashMap<>();
    samples.put(BASELINE, List.of(fork(200, 200, 1000), fork(200, 200, 1000)));
    samples.put(AGAIN, List.of(fork(200, 200, 1000), fork(200, 200, 1000)));
    samples.put(HYBRID, List.of(fork(200, 200, 4000), fork(200, hybridPhrases, 4000)));
    samples.put(NIO, List.of(fork(200, 200, 1000), fork(nioTerms, 99, 1000)));
    return samples;
  }

  private static Candidate candidate(Map<String, List<LimitSamples>> samples, String label) {
    List<Measured> measured = new ArrayList<>();
    samples.forEach((column, forks) -> measured.add(LimitMeasures.measured(column, forks)));
    Analysis analysis = new Analysis("advise", LimitSamples.rates(samples), FORKS, 42);
    samples.keySet().stream()
        .filter(column -> !column.equals(BASELINE))
        .forEach(column -> analysis.compare(column, BASELINE));
    Results results =
        new Results(Map.of(), analysis.results(), analysis.ratios(), analysis.means(), List.of());
    return new Candidates(results, measured, new KnownTails(samples), FORKS, 42)
        .of(Entry.columns(List.of(BASELINE, HYBRID, NIO))).stream()
            .filter(candidate -> candidate.directory().label().equals(label))
            .findFirst()
            .orElseThrow();
  }

  private static double high(Map<String, List<LimitSamples>> samples, String label) {
    return Objects.requireNonNull(candidate(samples, label).high()).ratio();
  }

  @Test
  void tailsOfFewQueriesAreLeftOut() {
    // The mean of 1 and 4 over the two kinds.
    assertEquals(2, high(samples(100, 200), HYBRID), 0.01);
    assertEquals(1, high(samples(99, 200), HYBRID), 0.01);
    assertEquals(1, high(samples(200, 200), NIO), 0.01);
    assertNull(candidate(samples(200, 99), NIO).high());
    assertEquals(List.of("Phrase"), new KnownTails(samples(200, 200)).unknown());
    assertEquals(List.of("Term", "Phrase"), new KnownTails(samples(200, 99)).unknown());
  }

  private static DeviceReads reads(long queries, @Nullable Long faults, @Nullable Long bytes) {
    ProcessCounters counters = new ProcessCounters(null, faults, bytes, null);
    Map<String, KindSamples> kinds = Map.of("Term", kind(queries, 1000, counters));
    return DeviceReads.of(
        List.of(new LimitSamples(kinds, List.of(), null, NONE, null), fork(100, 100, 1000)));
  }

  @Test
  void fewReadsAreNoScarceMemory() {
    assertEquals(new DeviceReads(1200, 7, 8192), reads(1000, 7L, 8192L));
    assertTrue(reads(800, 10L, 40960L).areFew());
    assertFalse(reads(800, 11L, 0L).areFew());
    assertFalse(reads(800, 0L, 40961L).areFew());
    assertTrue(reads(800, null, null).areFew());
  }
}
