package io.github.lucenedirectories.ram;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a {@link BlockCache} holds and what happened in it since it was built.
 *
 * @param maxBytes the most bytes of blocks
 * @param usedBytes of blocks that hold a part of a file; the last block of a file counts whole
 * @param kinds by the extension of the files' names, {@code other} for those without
 */
public record BlockCacheStatistics(long maxBytes, long usedBytes, SortedMap<String, Kind> kinds) {

  /** Copies the map. */
  public BlockCacheStatistics {
    kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
  }

  /**
   * What happened to the files of one kind.
   *
   * @param hits reads of a block, or of a part of it, that was in the cache
   * @param misses those that found it not
   * @param fetchedBytes read from the other directories into the cache
   * @param passedBytes read from there and not kept: by merges and other readers of whole files
   * @param evictions blocks that gave way to others; not those of deleted files
   */
  public record Kind(long hits, long misses, long fetchedBytes, long passedBytes, long evictions) {

    /** The share, from 0 to 1, of reads that were hits; 0 if there was none. */
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

  /** All kinds together. */
  public Kind total() {
    return kinds.values().stream().reduce(new Kind(0, 0, 0, 0, 0), Kind::plus);
  }
}
