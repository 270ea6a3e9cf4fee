// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

/** The slots of a cache in eviction order. Callers hold its lock, except for {@link #used}. */
final class EvictionQueue {

  /*
   * S3-FIFO: Yang, Zhang, Qiu, Yue, Vigfusson, "FIFO queues are all you need for cache eviction",
   * SOSP 2023. A new block enters the small queue, a tenth of the slots. At its end a block that
   * was used again moves to the main queue. Any other block is evicted, and its key is remembered
   * for a while: if the block returns in that time, it enters the main queue at once. At the end of
   * the main queue a block goes round once more for each counted use.
   *
   * The query that missed a block touches it many times. Uses within the next few insertions belong
   * to that first use: if they counted, a scan by small reads would fill the main queue.
   */

  /** The small queue has one in this many slots. */
  private static final int SMALL_SHARE = 10;

  /**
   * Most slots that an eviction skips because their blocks were used. The next block is evicted in
   * any case, because other threads wait for the lock.
   */
  static final int MOST_SPARED = 1 << 10;

  /** Divides the length of the small queue: a use counts only after that many insertions. */
  private static final int APART_SHARE = 8;

  private final BlockSlots slots;
  private final SlotList small;
  private final SlotList main;
  private final GhostQueue ghosts;
  private final long apart;

  /** Number of inserted blocks. Reads without the lock may see an older value. */
  private long insertions;

  /** Which queue a slot is in: true for the main queue. */
  private final boolean[] inMain;

  EvictionQueue(int slotCount, BlockSlots slots) {
    this.slots = slots;
    SlotList.Links links = new SlotList.Links(slotCount);
    small = new SlotList(links);
    main = new SlotList(links);
    inMain = new boolean[slotCount];
    ghosts = new GhostQueue(slotCount - slotCount / SMALL_SHARE);
    apart = slotCount / SMALL_SHARE / APART_SHARE;
  }

  int size() {
    return small.size() + main.size();
  }

  void add(int slot, long key) {
    slots.beginUses(slot, ++insertions);
    enter(slot, ghosts.remove(key));
  }

  private void enter(int slot, boolean intoMain) {
    inMain[slot] = intoMain;
    (intoMain ? main : small).add(slot);
  }

  void remove(int slot) {
    (inMain[slot] ? main : small).remove(slot);
  }

  /** Removes and returns the slot whose block is worth least, or {@link SlotList#NONE}. */
  int evict() {
    for (int spared = 0; ; spared++) {
      boolean fromSmall =
          small.size() > 0 && (main.size() == 0 || (long) small.size() * SMALL_SHARE >= size());
      int slot = fromSmall ? small.first() : main.first();
      if (slot == SlotList.NONE) {
        return SlotList.NONE;
      }
      remove(slot);
      int uses = slots.uses(slot);
      if (uses == 0 || spared == MOST_SPARED) {
        if (fromSmall) {
          ghosts.add(slots.key(slot));
        }
        return slot;
      }
      slots.setUses(slot, fromSmall ? 0 : uses - 1);
      enter(slot, true);
    }
  }

  /** Counts a use of a block. Called without the lock. */
  void used(int slot) {
    slots.use(slot, insertions, apart);
  }
}
