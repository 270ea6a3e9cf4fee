package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** A table of slots against a map. */
public class SlotTableTest extends LibraryTestCase {

  /** Two blocks with the same upper half of their hashes, and one place in the smallest table. */
  public void testSameHash() {
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

  public void testAgainstMap() {
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
