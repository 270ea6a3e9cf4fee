package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.limit.LimitSamples;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which kinds' 99th percentiles mean something: those of which each JVM ran enough queries. */
final class KnownTails {
  /** Of fewer queries the slowest one alone is the 99th percentile. */
  static final long LEAST_QUERIES = 100;

  private final Map<String, List<LimitSamples>> samples;

  /**
   * @param samples of all columns, by their labels
   */
  KnownTails(Map<String, List<LimitSamples>> samples) {
    this.samples = samples;
  }

  /** Whether those of a kind can be compared on these columns. */
  boolean areKnown(String kind, String... labels) {
    return Arrays.stream(labels)
        .flatMap(label -> Objects.requireNonNull(samples.get(label), label).stream())
        .allMatch(fork -> hasEnough(fork, kind));
  }

  /** The kinds of which some column ran too few. */
  List<String> unknown() {
    String[] all = samples.keySet().toArray(String[]::new);
    return samples.values().iterator().next().get(0).kinds().keySet().stream()
        .filter(kind -> !areKnown(kind, all))
        .toList();
  }

  private static boolean hasEnough(LimitSamples fork, String kind) {
    return Objects.requireNonNull(fork.kinds().get(kind), kind).queries() >= LEAST_QUERIES;
  }
}
