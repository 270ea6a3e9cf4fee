// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When reads are steady: pages a query in windows. */
class WarmSearchTest {
  private static final int NEVER = 1000;

  /** How many windows it takes. */
  private static int windows(IntToDoubleFunction pages) {
    return IntStream.range(0, NEVER)
        .filter(n -> WarmSearch.isSteady(IntStream.range(0, n).mapToDouble(pages).boxed().toList()))
        .findFirst()
        .orElse(NEVER);
  }

  @Test
  void whatChangesSlowlyIsWatchedForLonger() {
    assertEquals(6, windows(_ -> 1.6));
    assertEquals(6, windows(n -> n % 2 == 0 ? 1.6 : 1.8));
    assertEquals(6, windows(_ -> 0));
    // A cache that fills within ten windows, and one that takes twenty.
    int quick = windows(n -> 1 + 3 * Math.max(0, 1 - n / 10.0));
    int slow = windows(n -> 1 + 3 * Math.max(0, 1 - n / 20.0));
    assertTrue(quick > 10 && quick <= 30, "" + quick);
    assertTrue(slow > 20 && slow <= 60, "" + slow);
    // Hardly any reads: what is left of them may change.
    assertTrue(windows(n -> Math.pow(0.5, n)) <= 18);
    assertEquals(NEVER, windows(n -> Math.pow(1.05, n)));
  }

  @Test
  void whatIsUnknownIsNeverSteady() {
    assertFalse(WarmSearch.isSteady(List.of()));
    assertFalse(WarmSearch.isSteady(Collections.nCopies(60, Double.NaN)));
  }
}
