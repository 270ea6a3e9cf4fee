package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.BitSet;

/** {@link AddressRanges} against a set of bits. */
public class AddressRangesTest extends LibraryTestCase {

  private static final int ADDRESSES = 512;

  public void testRandomOperations() {
    AddressRanges ranges = new AddressRanges();
    BitSet model = new BitSet();
    for (int i = 0; i < 20_000; i++) {
      int start = random().nextInt(ADDRESSES);
      int end = start + random().nextInt(ADDRESSES - start + 1);
      int overlap = model.get(start, end).cardinality();
      assertEquals(overlap, ranges.overlap(start, end));
      if (random().nextBoolean()) {
        ranges.remove(start, end);
        model.clear(start, end);
      } else if (overlap == 0) {
        ranges.add(start, end);
        model.set(start, end);
      }
      assertEquals(model.cardinality(), ranges.bytes());
      assertEquals(model.isEmpty(), ranges.isEmpty());
      if (!model.isEmpty()) {
        assertEquals(model.length(), ranges.lastEnd());
        assertEquals(model.previousClearBit(model.length() - 1) + 1, ranges.lastStart());
      }
      checkFirstFit(ranges, model);
    }
  }

  private static void checkFirstFit(AddressRanges ranges, BitSet model) {
    int length = 1 + random().nextInt(20);
    int alignment = 1 << random().nextInt(5);
    int from = random().nextInt(ADDRESSES);
    int to = from + random().nextInt(ADDRESSES - from + 1);
    long expected = AddressRanges.NONE;
    for (int at = (int) AddressRanges.roundUp(from, alignment);
        at + length <= to;
        at += alignment) {
      if (model.get(at, at + length).cardinality() == length) {
        expected = at;
        break;
      }
    }
    assertEquals(expected, ranges.firstFit(length, alignment, from, to));
  }
}
