// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import org.jspecify.annotations.Nullable;

/** The blocks of a cache in eviction order. Callers hold its lock, except for {@link #used}. */
final class EvictionQueue {

  /*
   * S3-FIFO: Yang, Zhang, Qiu, Yue, Vigfusson, "FIFO queues are all you need for cache eviction",
   * SOSP 2023. A new block enters the small queue, a tenth of the slots. At its end a block that
   * was used again moves to the main queue. Any other block is evicted, and its hash is remembered
   * for a while: if the block returns in that time, it enters the main queue at once. At the end of
   * the main queue a block goes round once more for each counted use.
   *
   * The query that missed a block touches it many times. Uses within the next few insertions belong
   * to that first use: if they counted, a scan by small reads would fill the main queue.
   */

  /** The small queue has one in this many slots. */
  private static final int SMALL_SHARE = 10;

  /**
   * Most blocks that an eviction skips because they were used. The next block is evicted in any
   * case, because other threads wait for the lock.
   */
  static final int MOST_SPARED = 1 << 10;

  private static final int MOST_USES = 3;

  /** Divides the length of the small queue: a use counts only after that many insertions. */
  private static final int APART_SHARE = 8;

  /** Blocks in the order of their addition. */
  private static final class Fifo {
    @Nullable CachedBlock first;
    @Nullable CachedBlock last;
    int size;

    void add(CachedBlock block) {
      block.older = last;
      block.newer = null;
      if (last == null) {
        first = block;
      } else {
        last.newer = block;
      }
      last = block;
      size++;
    }

    void remove(CachedBlock block) {
      if (block.older == null) {
        first = block.newer;
      } else {
        block.older.newer = block.newer;
      }
      if (block.newer == null) {
        last = block.older;
      } else {
        block.newer.older = block.older;
      }
      size--;
    }
  }

  private final Fifo small = new Fifo();
  private final Fifo main = new Fifo();

  /**
   * The upper half of the hash of the block that was last evicted from the small queue, at each
   * place that the lower half gives.
   */
  private final int[] ghosts;

  private final long apart;

  /** Number of inserted blocks. Reads without the lock may see an older value. */
  private long insertions;

  EvictionQueue(int slotCount) {
    ghosts = new int[Integer.highestOneBit(slotCount)];
    apart = slotCount / SMALL_SHARE / APART_SHARE;
  }

  int size() {
    return small.size + main.size;
  }

  void add(CachedBlock block) {
    block.added = ++insertions;
    long hash = block.hash();
    enter(block, ghosts[ghostPlace(hash)] == (int) (hash >>> Integer.SIZE));
  }

  private int ghostPlace(long hash) {
    return (int) hash & (ghosts.length - 1);
  }

  private void enter(CachedBlock block, boolean intoMain) {
    block.inMain = intoMain;
    (intoMain ? main : small).add(block);
  }

  void remove(CachedBlock block) {
    (block.inMain ? main : small).remove(block);
  }

  /** Removes and returns the block that is worth least, or null if there is none. */
  @Nullable CachedBlock evict() {
    for (int spared = 0; ; spared++) {
      boolean fromSmall =
          small.size > 0 && (main.size == 0 || (long) small.size * SMALL_SHARE >= size());
      CachedBlock block = fromSmall ? small.first : main.first;
      if (block == null) {
        return null;
      }
      remove(block);
      if (block.uses == 0 || spared == MOST_SPARED) {
        if (fromSmall) {
          long hash = block.hash();
          ghosts[ghostPlace(hash)] = (int) (hash >>> Integer.SIZE);
        }
        return block;
      }
      block.uses = fromSmall ? 0 : block.uses - 1;
      enter(block, true);
    }
  }

  /** Counts a use of a block. Called without the lock. */
  void used(CachedBlock block) {
    if (block.uses < MOST_USES && insertions - block.added > apart) {
      block.uses++;
    }
  }
}
