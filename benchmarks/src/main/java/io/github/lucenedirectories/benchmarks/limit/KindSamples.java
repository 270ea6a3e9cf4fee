package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import java.util.Map;

/**
 * What one fork measured of one kind.
 *
 * @param latencies a histogram of nanoseconds, encoded
 * @param queries that were run
 * @param seconds that they took together, by the clock
 * @param reads while they ran
 * @param collectionSeconds that the garbage collector took of them
 * @param figures what the directory tells of itself for that time, by name
 */
public record KindSamples(
    String latencies,
    long queries,
    double seconds,
    ProcessCounters reads,
    double collectionSeconds,
    Map<String, Double> figures) {

  /** Of all threads together. */
  public double queriesPerSecond() {
    return queries / seconds;
  }
}
