package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.workload.Memory;
import io.github.lucenedirectories.variants.Variant.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which directories are measured, and for how long. */
class PlanningTest {
  private static final long GIB = 1L << 30;

  private final List<Skipped> skipped = new ArrayList<>();

  private List<String> columns(long limitBytes, long indexBytes, double seconds, int most) {
    skipped.clear();
    Inspection found =
        new Inspection(
            new Contents(1, 0, 1, "", Map.of("terms", indexBytes), 0, 0, 0, List.of()),
            new Machine(2, 0, null, 0, limitBytes - (GIB >> 1), 0, null, null, null, ""));
    Memory memory = new Memory(limitBytes, 512, indexBytes);
    return AdviseWorkload.columns(found, memory, seconds, most, skipped).stream()
        .map(Column::label)
        .toList();
  }

  @Test
  void directoriesForTheSituation() {
    assertEquals(
        List.of(
            "MMapDirectory",
            "MMapDirectory (again)",
            "HybridDirectory",
            "MappedDirectory",
            "NioDirectory",
            "RamDirectory"),
        columns(8 * GIB, GIB, 180, 100));
    assertEquals(
        List.of(
            "MMapDirectory",
            "MMapDirectory (again)",
            "HybridDirectory",
            "MappedDirectory",
            "NioDirectory",
            "MMapDirectory-advised",
            "BlockCacheDirectory"),
        columns(8 * GIB, 8 * GIB, 180, 100));
  }

  @Test
  void ramDirectoryNeedsMemoryAndTime() {
    columns(8 * GIB, 13 * GIB / 2, 3600, 100);
    assertEquals(
        List.of(
            new Skipped("BlockCacheDirectory", 0, "the page cache holds the whole index"),
            new Skipped("RamDirectory", 0, "it holds the index in memory and that does not fit")),
        skipped);
    columns(64 * GIB, 10 * GIB, 180, 100);
    assertEquals("to load the index so often takes too much of --time", skipped.get(1).reason());
    assertTrue(columns(64 * GIB, 10 * GIB, 3600, 100).contains("RamDirectory"));
  }

  @Test
  void shortTimeHasFewerDirectories() {
    List<String> least = List.of("MMapDirectory", "MMapDirectory (again)", "HybridDirectory");
    assertEquals(least, columns(8 * GIB, GIB, 180, -1));
    assertEquals(least, columns(8 * GIB, GIB, 180, 3));
    assertEquals("MappedDirectory", columns(8 * GIB, GIB, 180, 4).getLast());
    assertEquals(
        List.of("RamDirectory", "NioDirectory"),
        skipped.stream()
            .filter(left -> left.reason().equals("--time is too short for it"))
            .map(Skipped::task)
            .toList());
  }

  private static List<Column> six(String last) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String variant = i == 5 ? last : "MMapDirectory";
      columns.add(Column.of(Column.find(variant, Use.SEARCH)));
    }
    return columns;
  }

  private static double spent(Defaults budget, double overhead, double load) {
    return budget.forks() * (6 * (overhead + budget.warmupSeconds() + budget.seconds()) + load);
  }

  @Test
  void timeIsSharedOut() {
    Defaults usual = AdviseWorkload.budget(170, six("NioDirectory"), 1.5, GIB);
    assertEquals(6, usual.forks());
    assertEquals(170, spent(usual, 1.5, 0), 1e-6);
    assertTrue(usual.warmupSeconds() > usual.seconds());
    Defaults loading = AdviseWorkload.budget(170, six("RamDirectory"), 1.5, 1_200_000_000);
    assertEquals(170, spent(loading, 1.5, 4), 1e-6);
    Defaults slow = AdviseWorkload.budget(170, six("NioDirectory"), 6, GIB);
    assertEquals(4, slow.forks());
    assertEquals(170, spent(slow, 6, 0), 1e-6);
    assertEquals(2, AdviseWorkload.budget(1, six("NioDirectory"), 6, GIB).forks());
    assertTrue(AdviseWorkload.budget(-1, six("NioDirectory"), 6, GIB).seconds() > 0);
  }
}
