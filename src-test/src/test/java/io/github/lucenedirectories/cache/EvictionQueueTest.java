// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.testkit.LibraryTestCase;

/** Which block gives way: S3-FIFO. */
public class EvictionQueueTest extends LibraryTestCase {

  private static final int SLOTS = 100;

  private final BlockSlots slots = new BlockSlots(SLOTS);
  private final EvictionQueue queue = new EvictionQueue(SLOTS, slots);

  private void add(int slot, long key) {
    slots.publish(slot, key);
    queue.add(slot, key);
  }

  private int evictAndAdd(long key) {
    int slot = queue.evict();
    slots.claim(slot);
    add(slot, key);
    return slot;
  }

  private void fill() {
    for (int slot = 0; slot < SLOTS; slot++) {
      add(slot, slot);
    }
  }

  public void testBlocksThatWereNotUsedGoInTheirOrder() {
    fill();
    for (int slot = 0; slot < SLOTS; slot++) {
      assertEquals(slot, evictAndAdd(1_000 + slot));
    }
  }

  public void testUsedBlocksStay() {
    fill();
    for (int slot = 0; slot < SLOTS; slot += 4) {
      queue.used(slot);
    }
    for (int i = 0; i < 20 * SLOTS; i++) {
      int slot = evictAndAdd(1_000 + i);
      assertTrue("slot=" + slot, slot % 4 != 0);
    }
  }

  /** All blocks are in use: one goes nevertheless, soon, since others wait for the lock. */
  public void testEvictionIsShort() {
    int many = 10 * EvictionQueue.MOST_SPARED;
    BlockSlots manySlots = new BlockSlots(many);
    EvictionQueue large = new EvictionQueue(many, manySlots);
    for (int slot = 0; slot < many; slot++) {
      manySlots.publish(slot, slot);
      large.add(slot, slot);
      manySlots.setUses(slot, 3);
    }
    int evicted = large.evict();
    assertTrue("" + evicted, evicted >= 0);
    int touched = 0;
    for (int slot = 0; slot < many; slot++) {
      touched += manySlots.uses(slot) == 3 ? 0 : 1;
    }
    assertTrue("touched=" + touched, touched <= EvictionQueue.MOST_SPARED);
  }

  public void testBlockThatComesBackIsKept() {
    fill();
    for (int i = 0; i < 50; i++) {
      evictAndAdd(1_000 + i);
    }
    // Blocks 0 to 49 are remembered.
    int slot = evictAndAdd(7);
    for (int i = 0; i < 3 * SLOTS; i++) {
      assertNotEquals(slot, evictAndAdd(5_000 + i));
    }
  }

  /** A block that is used no more goes in the end, although all others are used. */
  public void testUsedBlockGoesAtLast() {
    fill();
    for (int i = 0; i < 2; i++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        queue.used(slot);
      }
      evictAndAdd(1_000 + i);
    }
    int[] added = new int[20 * SLOTS];
    for (int i = 0; i < added.length; i++) {
      added[i] = evictAndAdd(2_000 + i);
      if (i >= 3) {
        queue.used(added[i - 3]);
      }
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      assertTrue("slot=" + slot, slots.key(slot) >= 2_000);
    }
  }

  public void testSize() {
    assertEquals(SlotList.NONE, queue.evict());
    add(5, 5);
    assertEquals(1, queue.size());
    queue.remove(5);
    assertEquals(0, queue.size());
  }
}
