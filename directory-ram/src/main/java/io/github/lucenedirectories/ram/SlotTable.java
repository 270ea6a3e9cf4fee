package io.github.lucenedirectories.ram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A table of which slot holds a block, by the block's key.
 *
 * <p>Lookups take no lock. Changes are made by one thread at a time; a lookup at the same moment
 * may miss a block that is in the table, and may find a slot that another block has now: a {@link
 * BlockSlots} tells. Alone, lookups are exact.
 */
final class SlotTable {

  /*
   * Linear probing in a table that is at most half full. An entry is the upper half of the key's
   * hash and one more than the slot; zero is empty. What is removed is closed up by moving later
   * entries forward, so that no marks of removed entries gather.
   */

  /** What {@link #find} returns if the block is in no slot. */
  static final int NONE = -1;

  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long HASH = -1L << Integer.SIZE;

  private final long[] entries;
  private final int mask;

  SlotTable(int slots) {
    int length = Math.max(4, Integer.highestOneBit(slots) << 2);
    entries = new long[length];
    mask = length - 1;
  }

  /** A hash of a key, all of whose bits depend on all of the key's. */
  static long hash(long key) {
    long h = (key ^ (key >>> 32)) * 0x9E37_79B9_7F4A_7C15L;
    h = (h ^ (h >>> 29)) * 0xBF58_476D_1CE4_E5B9L;
    return h ^ (h >>> 32);
  }

  int find(long key, BlockSlots slots) {
    long hash = hash(key);
    int at = (int) hash & mask;
    // No more steps than entries, whatever is moved meanwhile.
    for (int steps = 0; steps <= mask; steps++) {
      long entry = (long) ENTRY.getAcquire(entries, at);
      if (entry == 0) {
        return NONE;
      }
      if (((entry ^ hash) & HASH) == 0) {
        int slot = (int) entry - 1;
        if (slots.key(slot) == key) {
          return slot;
        }
      }
      at = (at + 1) & mask;
    }
    return NONE;
  }

  void add(long key, int slot) {
    long hash = hash(key);
    int at = (int) hash & mask;
    while (entries[at] != 0) {
      at = (at + 1) & mask;
    }
    ENTRY.setRelease(entries, at, (hash & HASH) | (slot + 1));
  }

  /** Removes a block that is in the table, while its slot still has its key. */
  void remove(int slot, BlockSlots slots) {
    int hole = (int) hash(slots.key(slot)) & mask;
    while ((int) entries[hole] != slot + 1) {
      hole = (hole + 1) & mask;
    }
    for (int at = (hole + 1) & mask; entries[at] != 0; at = at + 1 & mask) {
      int home = (int) hash(slots.key((int) entries[at] - 1)) & mask;
      // It may move to the hole unless that lies before its home.
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        ENTRY.setRelease(entries, hole, entries[at]);
        hole = at;
      }
    }
    ENTRY.setRelease(entries, hole, 0L);
  }
}
