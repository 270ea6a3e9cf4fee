// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of addresses, kept as ranges that neither touch nor overlap. It serves one thread at a
 * time.
 */
public final class AddressRanges {

  /** What {@link #firstFit} returns if nothing fits. */
  public static final long NONE = -1;

  /** The end of each range, which is not part of it, by its start. */
  private final TreeMap<Long, Long> ends = new TreeMap<>();

  private long bytes;

  /** How many addresses there are. */
  public long bytes() {
    return bytes;
  }

  public boolean isEmpty() {
    return ends.isEmpty();
  }

  /** Adds a range that does not overlap the set. */
  public void add(long start, long end) {
    if (start == end) {
      return;
    }
    bytes += end - start;
    Map.Entry<Long, Long> before = ends.floorEntry(start);
    if (before != null && before.getValue() == start) {
      start = before.getKey();
    }
    Long after = ends.remove(end);
    ends.put(start, after == null ? end : after);
  }

  /** Removes all addresses of a range from the set. */
  public void remove(long start, long end) {
    if (start == end) {
      return;
    }
    Map.Entry<Long, Long> range = ends.lowerEntry(end);
    while (range != null && range.getValue() > start) {
      long from = Math.max(start, range.getKey());
      long to = Math.min(end, range.getValue());
      if (range.getKey() < from) {
        ends.put(range.getKey(), from);
      } else {
        ends.remove(from);
      }
      if (to < range.getValue()) {
        ends.put(to, range.getValue());
      }
      bytes -= to - from;
      range = ends.lowerEntry(from);
    }
  }

  /** How many addresses of a range are in the set. */
  public long overlap(long start, long end) {
    long sum = 0;
    Map.Entry<Long, Long> range = ends.lowerEntry(end);
    while (range != null && range.getValue() > start) {
      sum += Math.min(end, range.getValue()) - Math.max(start, range.getKey());
      range = ends.lowerEntry(range.getKey());
    }
    return sum;
  }

  /** Whether all addresses of a range are in the set. */
  public boolean contains(long start, long end) {
    Map.Entry<Long, Long> range = ends.floorEntry(start);
    return range != null && range.getValue() >= end;
  }

  /** The end of the range that an address of the set lies in. */
  public long endOf(long address) {
    return ends.floorEntry(address).getValue();
  }

  /**
   * The lowest start of {@code length} addresses that lie in the set and between two bounds.
   *
   * @param alignment power of two that the start is a multiple of
   * @return the start, or {@link #NONE}
   */
  public long firstFit(long length, long alignment, long from, long to) {
    Map.Entry<Long, Long> range = ends.floorEntry(from);
    if (range == null) {
      range = ends.ceilingEntry(from);
    }
    while (range != null && range.getKey() < to) {
      long start = roundUp(Math.max(from, range.getKey()), alignment);
      if (Math.min(to, range.getValue()) - start >= length) {
        return start;
      }
      range = ends.higherEntry(range.getKey());
    }
    return NONE;
  }

  /** The length of the longest range. */
  public long longest() {
    long longest = 0;
    for (Map.Entry<Long, Long> range : ends.entrySet()) {
      longest = Math.max(longest, range.getValue() - range.getKey());
    }
    return longest;
  }

  /** The start of the range with the highest addresses; the set must not be empty. */
  public long lastStart() {
    return ends.lastKey();
  }

  /** The end of the range with the highest addresses; the set must not be empty. */
  public long lastEnd() {
    return ends.lastEntry().getValue();
  }

  /** The next multiple of a power of two. */
  public static long roundUp(long value, long unit) {
    return (value + unit - 1) & -unit;
  }

  /** The last multiple of a power of two. */
  public static long roundDown(long value, long unit) {
    return value & -unit;
  }
}
