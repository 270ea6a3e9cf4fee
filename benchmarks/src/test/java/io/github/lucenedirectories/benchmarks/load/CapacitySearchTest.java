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
  @ValueSource(ints = {0, 1, 15, 16, 17, 100, 101, 115, 116, 117, 200, 271, RateGrid.LAST})
  void findsTheHighestRateThatIsHeld(int capacity) throws IOException {
    for (int start : new int[] {0, 1, 99, 116, RateGrid.LAST}) {
      assertEquals(OptionalInt.of(capacity), search(start, 1, capacity));
      int coarse = search(start, 2, capacity).orElseThrow();
      assertTrue(coarse == capacity || coarse == capacity - 1, capacity + " " + coarse);
    }
    assertTrue(tried.stream().allMatch(place -> place >= 0 && place <= RateGrid.LAST));
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
    boolean[] disturbed = new boolean[RateGrid.LAST + 1];
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
    for (int place = 1; place <= RateGrid.LAST; place++) {
      double rate = RateGrid.rate(place);
      assertTrue(rate > RateGrid.rate(place - 1), "place=" + place);
      assertTrue(Double.toString(rate).length() <= "131000.0".length(), "rate=" + rate);
      assertEquals(place, RateGrid.place(rate));
      assertEquals(place, RateGrid.place(rate * 1.01));
      assertEquals(Math.pow(2, place / 16.0), rate, rate * 0.006);
    }
    assertEquals(128, RateGrid.rate(7 * RateGrid.STEPS), 1e-9);
    assertEquals(0, RateGrid.place(0.3));
  }
}
