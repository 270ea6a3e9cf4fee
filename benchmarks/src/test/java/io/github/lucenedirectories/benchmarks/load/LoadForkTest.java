package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.lucenedirectories.benchmarks.traffic.RateGrid;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** At which rates a client begins. */
class LoadForkTest {
  private static final LoadPlan.Pace PACE = new LoadPlan.Pace(List.of(), 100, 6, 2, 4, 2, 0);

  private static ClientSpec client(@Nullable Integer common) {
    return LoadFork.client(LoadFork.LOOPBACK, 9_400, PACE, common, 42);
  }

  @Test
  void theFirstSearchKnowsNothing() {
    assertEquals(128, RateGrid.rate(client(null).start()));
    assertNull(client(null).common());
  }

  /** A server that has just started would fall behind, and no search tries such a rate again. */
  @Test
  void othersBeginAtAnEighthOfTheRateInCommon() {
    int common = RateGrid.place(8_192);
    assertEquals(common, client(common).common());
    assertEquals(1_024, RateGrid.rate(client(common).start()), 10);
    assertEquals(0, client(5).start());
  }
}
