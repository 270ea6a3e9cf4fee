// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * The states of a cache's slot, where a reader never takes bytes of one block for those of another,
 * and the table of slots.
 */
public class BlockSlotsTest extends LibraryTestCase {

  private static final int WORDS = 3;

  /**
   * One slot whose bytes are a few words; its owner claims and publishes it, others read. Alone, a
   * read returns the block's content if it is published, so together it must be as if each took
   * place at one moment.
   */
  public static class OneSlot {
    private final BlockSlots slots = new BlockSlots(1);
    private final long[] bytes = new long[WORDS];
    private boolean claimed;

    /** Holds a block from the beginning: most of what can go wrong is one step away. */
    public OneSlot() {
      slots.publish(0, 0);
    }

    /** The owner takes the slot for the next block. */
    @Operation(nonParallelGroup = "owner")
    public void claim() {
      claimed = true;
      slots.claim(0);
    }

    /** The owner writes a block and shows it. */
    @Operation(nonParallelGroup = "owner")
    public boolean publish(int content) {
      if (!claimed) {
        return false;
      }
      claimed = false;
      for (int i = 0; i < WORDS; i++) {
        bytes[i] = content;
      }
      slots.publish(0, content & 1);
      return true;
    }

    /** Returns the content of a block; one that no content is if the block is not there. */
    @Operation
    public long readEven() {
      return read(0);
    }

    @Operation
    public long readOdd() {
      return read(1);
    }

    private long read(long key) {
      long stamp = slots.stamp(0, key);
      if (stamp == BlockSlots.GONE) {
        return Long.MIN_VALUE;
      }
      long first = bytes[0];
      boolean torn = false;
      for (int i = 1; i < WORDS; i++) {
        torn |= bytes[i] != first;
      }
      if (!slots.isValid(0, stamp)) {
        return Long.MIN_VALUE;
      }
      return torn ? Long.MAX_VALUE : first;
    }
  }

  public void testAllInterleavings() {
    new ModelCheckingOptions()
        .iterations(15)
        .invocationsPerIteration(500)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .check(OneSlot.class);
  }

  public void testReadsOfOneBlock() {
    BlockSlots slots = new BlockSlots(1);
    assertEquals(BlockSlots.GONE, slots.stamp(0, 7));
    slots.claim(0);
    slots.publish(0, 7);
    assertEquals(BlockSlots.GONE, slots.stamp(0, 8));
    long stamp = slots.stamp(0, 7);
    assertNotEquals(BlockSlots.GONE, stamp);
    assertTrue(slots.isValid(0, stamp));
    slots.claim(0);
    assertFalse(slots.isValid(0, stamp));
  }

  public void testUsesCountToThree() {
    BlockSlots slots = new BlockSlots(2);
    slots.beginUses(1, 10);
    slots.use(1, 12, 2);
    assertEquals("too soon", 0, slots.uses(1));
    for (int uses = 1; uses <= 5; uses++) {
      slots.use(1, 13, 2);
      assertEquals(Math.min(uses, BlockSlots.MOST_USES), slots.uses(1));
    }
    slots.setUses(1, 1);
    assertEquals(1, slots.uses(1));
    assertEquals(0, slots.uses(0));
  }

  /** Two blocks with the same upper half of their hashes, and one place in the smallest table. */
  public void testTableWithSameHash() {
    Map<Long, Long> keys = new HashMap<>();
    long key = 0;
    Long other = null;
    while (other == null) {
      key++;
      other = keys.put(SlotTable.hash(key) & (-1L << Integer.SIZE | 3), key);
    }
    BlockSlots slots = new BlockSlots(1);
    SlotTable table = new SlotTable(1);
    slots.publish(0, other);
    table.add(other, 0);
    assertEquals(0, table.find(other, slots));
    assertEquals(SlotTable.NONE, table.find(key, slots));
  }

  public void testTableAgainstMap() {
    for (int count : new int[] {1, 2, 3, 8, 100, 1_000}) {
      Random random = new Random(random().nextLong());
      BlockSlots slots = new BlockSlots(count);
      SlotTable table = new SlotTable(count);
      Map<Long, Integer> expected = new HashMap<>();
      ArrayDeque<Integer> free = new ArrayDeque<>();
      for (int slot = 0; slot < count; slot++) {
        free.add(slot);
      }
      for (int i = 0; i < 20_000; i++) {
        // Consecutive blocks of few files, as they come.
        long key = ((long) random.nextInt(3) << 28) | random.nextInt(count);
        Integer slot = expected.get(key);
        assertEquals(slot == null ? SlotTable.NONE : slot, table.find(key, slots));
        if (slot != null && random.nextBoolean()) {
          table.remove(slot, slots);
          slots.claim(slot);
          expected.remove(key);
          free.add(slot);
        } else if (slot == null && !free.isEmpty()) {
          int taken = free.remove();
          slots.publish(taken, key);
          table.add(key, taken);
          expected.put(key, taken);
        }
      }
      expected.forEach((key, slot) -> assertEquals((int) slot, table.find(key, slots)));
    }
  }
}
