package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells that are kept, found again, and refused where they are another run's. */
class CellsTest {
  private static final Map<String, Object> SETTINGS =
      Map.of("plan", new LoadPlan.Live(2, 100, 1000), "memoryBytes", 25_000_000_000L, "rate", 0.5);
  private static final LoadCell CELL =
      new LoadCell(
          new Welcome("a", "b", 3, List.of("c"), new LoadPlan.Live(1, 2, 3), Map.of()),
          List.of(),
          null,
          7,
          new ServerSummary(List.of(), 1, 2, 3, "lag", "reopen", 4, null));

  @TempDir private Path out;

  private String refusal(Map<String, Object> settings) {
    UsageException refused =
        assertThrows(UsageException.class, () -> Cells.open(out, settings, true));
    return String.valueOf(refused.getMessage());
  }

  @Test
  void finishedCellsAreFoundAgain() throws IOException {
    Cells cells = Cells.open(out, SETTINGS, false);
    assertEquals(Optional.empty(), cells.find("1-0"));
    cells.keep("1-0", CELL);
    assertEquals(Optional.of(CELL), Cells.open(out, SETTINGS, true).find("1-0"));
    assertEquals(Optional.empty(), Cells.open(out, SETTINGS, true).find("1-1"));
    assertEquals(Optional.empty(), Cells.open(out, SETTINGS, false).find("1-0"), "begun anew");
  }

  @Test
  void otherSettingsAreRefused() throws IOException {
    assertEquals("nothing to resume in " + out + ": leave out --resume", refusal(SETTINGS));
    Cells.open(out, SETTINGS, false).keep("1-0", CELL);
    assertEquals(
        "cannot resume "
            + out
            + ": plan.updatesPerSecond was 100 and is 200; give the same options, or leave out"
            + " --resume to begin anew",
        refusal(
            Map.of(
                "plan",
                new LoadPlan.Live(2, 200, 1000),
                "memoryBytes",
                25_000_000_000L,
                "rate",
                0.5)));
    assertTrue(refusal(Map.of("plan", "none")).contains("was {"));
    assertTrue(refusal(Map.of("memoryBytes", 25_000_000_000L)).contains(" was {"));
  }
}
