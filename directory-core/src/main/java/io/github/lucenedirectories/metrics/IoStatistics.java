package io.github.lucenedirectories.metrics;

import java.util.SortedMap;

/**
 * What an {@link IoScope} read.
 *
 * @param deviceBytes bytes that the system read from devices for the scope's threads: for reads,
 *     for pages of mapped files and for prefetches; -1 without native access, or if one of them is
 *     a virtual thread
 * @param majorFaults how often a thread waited for a page of a mapped file; -1 without native
 *     access
 * @param kinds reads by kind of file: {@code stored}, {@code raw_vectors}, {@code vectors}, {@code
 *     postings} and {@code other}; only kinds that were read
 */
public record IoStatistics(long deviceBytes, long majorFaults, SortedMap<String, Kind> kinds) {

  /**
   * Reads of one kind of file by position, and prefetches in any way. Reads of mapped files and of
   * files in memory are loads of the processor and not counted; of a block cache what it fetches
   * is.
   *
   * @param reads calls to the system
   * @param readBytes what these calls returned
   * @param readNanos how long they took
   * @param hits calls that were saved, because the process had read the block a moment ago
   * @param prefetches ranges that were prefetched
   * @param prefetchedBytes the length of these ranges
   */
  public record Kind(
      long reads,
      long readBytes,
      long readNanos,
      long hits,
      long prefetches,
      long prefetchedBytes) {

    Kind plus(Kind other) {
      return new Kind(
          reads + other.reads,
          readBytes + other.readBytes,
          readNanos + other.readNanos,
          hits + other.hits,
          prefetches + other.prefetches,
          prefetchedBytes + other.prefetchedBytes);
    }
  }

  /** The sum of all kinds. */
  public Kind total() {
    return kinds.values().stream().reduce(new Kind(0, 0, 0, 0, 0, 0), Kind::plus);
  }
}
