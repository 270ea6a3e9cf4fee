// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.os.NativeCalls;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether searches prefetch, from what they read from the device: where everything is in
 * memory, prefetching costs some percent. Any thread may use it; a race between two loses an
 * observation.
 */
class PrefetchSwitch {

  /** Prefetching stays on while a search loads at least one page per this many vectors. */
  private static final int ON_VECTORS = 64;

  /** Prefetching turns on when a search waits at least once per this many vectors. */
  private static final int OFF_VECTORS = 32;

  /** Prefetching turns off after this many searches in a row that load fewer pages. */
  private static final int QUIET_SEARCHES = 4;

  private static final int PAGE_BLOCKS = 8;

  /** While prefetching is off, one search in this many is observed; a power of two. */
  private static final int OBSERVED = 4;

  private static final @Nullable NativeCalls CALLS = NativeCalls.get().orElse(null);

  /** Whether the system says what a thread has read. */
  static final boolean SUPPORTED = CALLS != null;

  private volatile boolean on = SUPPORTED;
  private int quiet;
  private int searches;

  boolean isOn() {
    return on;
  }

  /** Whether to call {@link #begin} and {@link #end} for the next search. */
  boolean observes() {
    return on || (searches++ & (OBSERVED - 1)) == 0;
  }

  /** What the current thread has read so far; pass it to {@link #end}. */
  static long[] begin() {
    return CALLS == null ? new long[2] : CALLS.threadReads();
  }

  /** How often the thread has waited since then for a page, and how many pages were read. */
  static long[] since(long[] begun) {
    long[] now = begin();
    return new long[] {now[0] - begun[0], (now[1] - begun[1]) / PAGE_BLOCKS};
  }

  /**
   * Records what a search read.
   *
   * @param vectors how many it scored
   */
  void end(long[] begun, boolean prefetched, long vectors) {
    if (CALLS != null && vectors > 0) {
      long[] reads = since(begun);
      note(reads[0], reads[1], prefetched, vectors);
    }
  }

  /**
   * Decides anew after a search.
   *
   * @param faults how often it waited for a page of a mapped file
   * @param pages how many pages the device read for it, read-around included
   */
  void note(long faults, long pages, boolean prefetched, long vectors) {
    if (prefetched) {
      if (pages * ON_VECTORS >= vectors) {
        quiet = 0;
      } else if (++quiet >= QUIET_SEARCHES) {
        on = false;
      }
    } else if ((faults > 0 ? faults : pages) * OFF_VECTORS >= vectors) {
      quiet = 0;
      on = true;
    }
  }
}
