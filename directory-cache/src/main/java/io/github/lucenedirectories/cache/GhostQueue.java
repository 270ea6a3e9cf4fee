// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

/**
 * The keys of recently evicted blocks that were not used again.
 *
 * <p>A key is forgotten when a given number of other keys were added after it; rarely earlier. Not
 * thread-safe.
 */
final class GhostQueue {

  /** Keys per bucket. */
  private static final int BUCKET = 4;

  private final int capacity;
  private final long[] keys;

  /** When each key was added, counted from one; zero for no key. */
  private final long[] times;

  private long time;

  GhostQueue(int capacity) {
    this.capacity = Math.max(1, capacity);
    int length = Math.max(BUCKET, Integer.highestOneBit(this.capacity) << 2);
    keys = new long[length];
    times = new long[length];
  }

  private int bucket(long key) {
    return (int) SlotTable.hash(key) & (keys.length - BUCKET);
  }

  void add(long key) {
    int oldest = bucket(key);
    for (int i = oldest + 1; i < bucket(key) + BUCKET; i++) {
      if (times[i] < times[oldest]) {
        oldest = i;
      }
    }
    keys[oldest] = key;
    times[oldest] = ++time;
  }

  boolean remove(long key) {
    int from = bucket(key);
    for (int i = from; i < from + BUCKET; i++) {
      if (keys[i] == key && times[i] > 0) {
        boolean known = time - times[i] < capacity;
        times[i] = 0;
        return known;
      }
    }
    return false;
  }
}
