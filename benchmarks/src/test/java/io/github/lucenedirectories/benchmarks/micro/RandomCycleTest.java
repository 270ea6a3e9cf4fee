package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomCycleTest {
  private static final int SLOTS_A_PAGE = 512;

  @Test
  void meetsEverySlotOnceBeforeItReturns() {
    for (int bits = 2; bits <= 18; bits++) {
      RandomCycle cycle = new RandomCycle(bits);
      BitSet seen = new BitSet();
      long slot = 0;
      for (int step = 0; step < 1 << bits; step++) {
        assertFalse(seen.get((int) slot), "bits=" + bits + ", again after steps=" + step);
        seen.set((int) slot);
        slot = cycle.next(slot);
      }
      assertEquals(0, slot, "bits=" + bits);
    }
  }

  /** A processor that guesses the next address would make the benchmark measure its guesses. */
  @Test
  void stepsHaveNoPattern() {
    int bits = 29;
    int steps = 20_000;
    RandomCycle cycle = new RandomCycle(bits);
    Set<Long> distances = new HashSet<>();
    Set<Long> pages = new HashSet<>();
    long[] low = new long[SLOTS_A_PAGE];
    long slot = 0;
    for (int i = 0; i < steps; i++) {
      long next = cycle.next(slot);
      assertTrue(next >= 0 && next < 1L << bits, "slot " + next);
      distances.add(next - slot);
      pages.add(next / SLOTS_A_PAGE);
      low[(int) (next % SLOTS_A_PAGE)]++;
      slot = next;
    }
    assertTrue(distances.size() > steps * 0.99, "distances: " + distances.size());
    // Of a million pages 20,000 random steps meet about 1 % twice.
    assertTrue(pages.size() > steps * 0.98, "pages: " + pages.size());
    for (int i = 0; i < SLOTS_A_PAGE; i++) {
      assertTrue(low[i] > 5 && low[i] < 120, "places in a page: slot " + i + " met " + low[i]);
    }
  }

  /** The low bits of a plain generator repeat after as many steps as they have values. */
  @Test
  void placesInAPageDoNotRepeat() {
    RandomCycle cycle = new RandomCycle(29);
    long slot = 0;
    long[] places = new long[4 * SLOTS_A_PAGE];
    for (int i = 0; i < places.length; i++) {
      places[i] = slot % SLOTS_A_PAGE;
      slot = cycle.next(slot);
    }
    int same = 0;
    for (int i = SLOTS_A_PAGE; i < places.length; i++) {
      if (places[i] == places[i - SLOTS_A_PAGE]) {
        same++;
      }
    }
    assertTrue(same < 30, "as " + SLOTS_A_PAGE + " steps before: " + same);
  }

  @Test
  void refusesTooFewOrTooManySlots() {
    assertThrows(IllegalArgumentException.class, () -> new RandomCycle(1));
    assertThrows(IllegalArgumentException.class, () -> new RandomCycle(63));
  }
}
