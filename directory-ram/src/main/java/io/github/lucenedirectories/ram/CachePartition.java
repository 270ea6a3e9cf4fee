package io.github.lucenedirectories.ram;

/**
 * The slots of those directories that share a part of a cache, in the order of their eviction.
 *
 * <p>Every method but {@link #used} is called under the cache's lock.
 */
final class CachePartition {

  /*
   * S3-FIFO: Yang, Zhang, Qiu, Yue, Vigfusson, "FIFO queues are all you need for cache eviction",
   * SOSP 2023. A new block goes to a small queue, a tenth of all. At its end it moves to the main
   * queue if it was used again; else it is evicted and its key remembered for a while, and if it comes
   * back in that time it goes to the main queue at once. At the end of the main queue a block that was
   * used goes round once more for each use that was counted.
   *
   * One query touches a block many times when it has brought it in. What happens within the next few
   * insertions is that same use: without this a scan by small reads would fill the main queue.
   */

  /** The small queue is this part of a partition. */
  private static final int SMALL_SHARE = 10;

  /**
   * Slots that an eviction passes over because their blocks were used; the next one goes in any
   * case, since all others who need the lock wait.
   */
  static final int MOST_SPARED = 1 << 10;

  /** Insertions, as a part of the small queue, until a use of a block counts. */
  private static final int APART_SHARE = 8;

  private final int quota;
  private final BlockSlots slots;
  private final QueueMarks marks;
  private final SlotList small;
  private final SlotList main;
  private final GhostQueue ghosts;
  private final long apart;

  /** How many blocks were inserted. Read without the lock, where it need not be the latest. */
  private long insertions;

  private int claimed;

  /** Which queue a slot is in: set for the main queue. */
  static final class QueueMarks {
    private final boolean[] main;

    QueueMarks(int slots) {
      main = new boolean[slots];
    }
  }

  /**
   * A partition without blocks.
   *
   * @param quota the most slots it takes
   */
  CachePartition(int quota, BlockSlots slots, SlotLinks links, QueueMarks marks) {
    this.quota = quota;
    this.slots = slots;
    this.marks = marks;
    small = new SlotList(links);
    main = new SlotList(links);
    ghosts = new GhostQueue(quota - quota / SMALL_SHARE);
    apart = quota / SMALL_SHARE / APART_SHARE;
  }

  int size() {
    return claimed + small.size() + main.size();
  }

  boolean isFull() {
    return size() >= quota;
  }

  void claim() {
    claimed++;
  }

  void giveUp() {
    claimed--;
  }

  void add(int slot, long key) {
    claimed--;
    slots.beginUses(slot, ++insertions);
    enter(slot, ghosts.remove(key));
  }

  private void enter(int slot, boolean intoMain) {
    marks.main[slot] = intoMain;
    (intoMain ? main : small).add(slot);
  }

  void remove(int slot) {
    (marks.main[slot] ? main : small).remove(slot);
  }

  /** Takes out the slot whose block is worth least, or {@link SlotLinks#NONE} if there is none. */
  int evict() {
    for (int spared = 0; ; spared++) {
      boolean fromSmall =
          small.size() > 0 && (main.size() == 0 || (long) small.size() * SMALL_SHARE >= size());
      int slot = fromSmall ? small.first() : main.first();
      if (slot == SlotLinks.NONE) {
        return SlotLinks.NONE;
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

  /** Says that a block was read. Called without the lock. */
  void used(int slot) {
    slots.use(slot, insertions, apart);
  }
}
