// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Maps the key of a block to its slot.
 *
 * <p>Lookups take no lock. One thread at a time makes changes. A concurrent lookup may miss a block
 * that is in the table, or find a slot that now holds another block, which {@link BlockSlots}
 * detects. Without concurrent changes, lookups are exact.
 */
final class SlotTable {

  /*
   * Linear probing in a table that is at most half full. An entry is the upper half of the key's
   * hash and the slot plus one; zero is empty. A removal moves later entries forward, so that no
   * tombstones accumulate.
   */

  /** Returned by {@link #find} if no slot holds the block. */
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

  /** A hash in which every bit depends on all bits of the key. */
  static long hash(long key) {
    long h = (key ^ (key >>> 32)) * 0x9E37_79B9_7F4A_7C15L;
    h = (h ^ (h >>> 29)) * 0xBF58_476D_1CE4_E5B9L;
    return h ^ (h >>> 32);
  }

  int find(long key, BlockSlots slots) {
    long hash = hash(key);
    int at = (int) hash & mask;
    // At most one step per entry, even if entries move meanwhile.
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

  /** Removes the block of a slot, which must still have its key. */
  void remove(int slot, BlockSlots slots) {
    int hole = (int) hash(slots.key(slot)) & mask;
    while ((int) entries[hole] != slot + 1) {
      hole = (hole + 1) & mask;
    }
    for (int at = (hole + 1) & mask; entries[at] != 0; at = at + 1 & mask) {
      int home = (int) hash(slots.key((int) entries[at] - 1)) & mask;
      // An entry may move to the hole unless the hole lies before the entry's home.
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        ENTRY.setRelease(entries, hole, entries[at]);
        hole = at;
      }
    }
    ENTRY.setRelease(entries, hole, 0L);
  }
}
