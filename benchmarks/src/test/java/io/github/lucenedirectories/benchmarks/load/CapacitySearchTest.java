// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search for the capacity on servers that are only simulated. */
class CapacitySearchTest {
  private final List<Integer> tried = new ArrayList<>();

  private OptionalInt search(int start, int finest, int capacity) throws IOException {
    return new CapacitySearch(
            place -> {
              tried.add(place);
              return place <= capacity;
            },
            finest)
        .run(start);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 100, 101, 115, 116, 117, 200, 271, CapacitySearch.LAST})
  void findsTheHighestRateThatIsHeld(int capacity) throws IOException {
    for (int start : new int[] {0, 1, 99, 116, CapacitySearch.LAST}) {
      assertEquals(OptionalInt.of(capacity), search(start, 1, capacity));
      int coarse = search(start, 2, capacity).orElseThrow();
      assertTrue(coarse == capacity || coarse == capacity - 1, capacity + " " + coarse);
    }
    assertTrue(tried.stream().allMatch(place -> place >= 0 && place <= CapacitySearch.LAST));
  }

  @Test
  void aServerThatHoldsNothingHasNone() throws IOException {
    for (int finest = 1; finest <= 2; finest++) {
      assertEquals(OptionalInt.empty(), search(40, finest, -1));
      assertTrue(tried.contains(0));
      tried.clear();
    }
  }

  @Test
  void oneDisturbanceDecidesNothing() throws IOException {
    boolean[] disturbed = new boolean[CapacitySearch.LAST + 1];
    OptionalInt found =
        new CapacitySearch(
                place -> {
                  boolean first = !disturbed[place];
                  disturbed[place] = true;
                  return !first && place <= 80;
                },
                1)
            .run(60);
    assertEquals(OptionalInt.of(80), found);
  }

  @Test
  void ratesAreRoundAndRise() {
    for (int place = 1; place <= CapacitySearch.LAST; place++) {
      double rate = CapacitySearch.rate(place);
      assertTrue(rate > CapacitySearch.rate(place - 1), "place=" + place);
      assertTrue(Double.toString(rate).length() <= "131000.0".length(), "rate=" + rate);
      assertEquals(place, CapacitySearch.place(rate));
      assertEquals(place, CapacitySearch.place(rate * 1.01));
      assertEquals(Math.pow(2, place / 16.0), rate, rate * 0.006);
    }
    assertEquals(128, CapacitySearch.rate(7 * CapacitySearch.STEPS), 1e-9);
    assertEquals(0, CapacitySearch.place(0.3));
  }
}
