package io.github.lucenedirectories.ram;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a {@link BlockCache} holds, and its counters since it was built.
 *
 * @param maxBytes the capacity
 * @param usedBytes bytes of cached blocks; the last block of a file counts as a full one
 * @param kinds the counters by file extension; {@code other} is for files without one
 */
public record BlockCacheStatistics(long maxBytes, long usedBytes, SortedMap<String, Kind> kinds) {

  /** Copies the map. */
  public BlockCacheStatistics {
    kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
  }

  /**
   * Counters of the files of one kind.
   *
   * @param hits reads of a block, or of a part of it, that found it in the cache
   * @param misses reads that did not find it
   * @param fetchedBytes bytes read from the other directories into the cache
   * @param passedBytes bytes that merges and other readers of whole files read past the cache
   * @param evictions blocks evicted for others; blocks of deleted files do not count
   */
  public record Kind(long hits, long misses, long fetchedBytes, long passedBytes, long evictions) {

    /** The share of reads, from 0 to 1, that were hits; 0 if there were no reads. */
    public double hitRate() {
      return hits == 0 ? 0 : (double) hits / (hits + misses);
    }

    private Kind plus(Kind other) {
      return new Kind(
          hits + other.hits,
          misses + other.misses,
          fetchedBytes + other.fetchedBytes,
          passedBytes + other.passedBytes,
          evictions + other.evictions);
    }
  }

  /** The sum over all kinds. */
  public Kind total() {
    return kinds.values().stream().reduce(new Kind(0, 0, 0, 0, 0), Kind::plus);
  }
}
