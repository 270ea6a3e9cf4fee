package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.load.RateGrid;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Live;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Samples;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Summary;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finished forks are kept, found again, and refused if they belong to another run. */
class LoadCellsTest {
  private static final Recorded NONE = new Recorded(0, List.of(), "");
  private static final Samples CELL =
      new Samples(
          new Welcome("a", "b", 3, List.of("c"), new Live(1, 2, 3), Map.of()),
          List.of(),
          null,
          7,
          new Summary(List.of(), 1, 2, NONE, NONE, 4, null));

  @TempDir private Path out;

  private static Map<String, Object> settings(int updates) {
    return Map.of("live", new Live(2, updates, 1000), "rate", 0.5);
  }

  private String refusal(Object settings) {
    return String.valueOf(
        assertThrows(UsageException.class, () -> new LoadCells(out, settings, true)).getMessage());
  }

  @Test
  void finishedForksAreFoundAgain() throws IOException {
    LoadCells cells = new LoadCells(out, settings(100), false);
    assertNull(cells.find("1-0"));
    cells.keep("1-0", CELL);
    assertEquals(CELL, new LoadCells(out, settings(100), true).find("1-0"));
    assertNull(new LoadCells(out, settings(100), true).find("1-1"));
    assertNull(new LoadCells(out, settings(100), false).find("1-0"), "a new run");
  }

  @Test
  void otherSettingsAreRefused() throws IOException {
    assertEquals("nothing to resume in " + out + ": leave out --resume", refusal(settings(100)));
    new LoadCells(out, settings(100), false).keep("1-0", CELL);
    assertEquals(
        "cannot resume "
            + out
            + ": live.updatesPerSecond was 100 and is 200; give the same options, or leave out"
            + " --resume to start again",
        refusal(settings(200)));
  }

  /** A server that has just started would fall behind, and no search tries such a rate again. */
  @Test
  void searchesBeginAtAnEighthOfTheRateInCommon() {
    assertEquals(128, RateGrid.rate(LoadRun.start(null)));
    assertEquals(1_024, RateGrid.rate(LoadRun.start(RateGrid.place(8_192))), 10);
    assertEquals(0, LoadRun.start(5));
  }
}
