package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.limit.Memory;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which directories are measured, and for how long. */
class PlanningTest {
  private static final long GIB = 1L << 30;

  private static List<String> labels(Columns columns) {
    return columns.entries().stream().map(Entry::label).toList();
  }

  private static Columns columns(long limitBytes, long indexBytes, double seconds) {
    return columns(limitBytes, indexBytes, seconds, 100);
  }

  private static Columns columns(long limitBytes, long indexBytes, double seconds, int most) {
    Memory memory = new Memory(limitBytes, 512, indexBytes);
    long pageCacheBytes = limitBytes - (GIB >> 1);
    return Columns.of(Fit.of(indexBytes, pageCacheBytes), memory, pageCacheBytes, seconds, most);
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
        labels(columns(8 * GIB, GIB, 180)));
    assertEquals(
        List.of(
            "MMapDirectory",
            "MMapDirectory (again)",
            "HybridDirectory",
            "MappedDirectory",
            "NioDirectory",
            "MMapDirectory-advised",
            "BlockCacheDirectory"),
        labels(columns(8 * GIB, 8 * GIB, 180)));
  }

  @Test
  void memoryAndTimeThatRamDirectoryHasNot() {
    Columns narrow = columns(8 * GIB, 13 * GIB / 2, 3600);
    assertEquals(
        List.of(
            new Results.Skipped("BlockCacheDirectory", 0, "the page cache holds the whole index"),
            new Results.Skipped(
                "RamDirectory", 0, "it holds the index in memory and that does not fit")),
        narrow.leftOut());
    Columns brief = columns(64 * GIB, 10 * GIB, 180);
    assertEquals(
        "to load the index so often takes too much of --time", brief.leftOut().get(1).reason());
    assertTrue(labels(columns(64 * GIB, 10 * GIB, 3600)).contains("RamDirectory"));
  }

  @Test
  void shortTimeHasFewerDirectories() {
    List<String> least = List.of("MMapDirectory", "MMapDirectory (again)", "HybridDirectory");
    assertEquals(least, labels(columns(8 * GIB, GIB, 180, -1)));
    assertEquals(least, labels(columns(8 * GIB, GIB, 180, 3)));
    Columns four = columns(8 * GIB, GIB, 180, 4);
    assertEquals("MappedDirectory", labels(four).get(3));
    assertEquals(4, four.entries().size());
    assertEquals(
        List.of("RamDirectory", "NioDirectory"),
        four.leftOut().stream()
            .filter(left -> left.reason().equals("--time is too short for it"))
            .map(Results.Skipped::task)
            .toList());
    assertEquals(3, Budget.mostColumns(10, 0.9));
    assertEquals(0, Budget.mostColumns(-5, 0.9));
    int most = Budget.mostColumns(50, 2);
    assertTrue(spent(Budget.of(50, most, 2, 0), most, 2, 0) <= 50 + 1e-6);
    assertTrue(spent(Budget.of(50, most + 1, 2, 0), most + 1, 2, 0) > 50);
  }

  @Test
  void timeIsSharedOut() {
    Budget usual = Budget.of(170, 6, 1.5, 0);
    assertEquals(6, usual.forks());
    assertEquals(170, spent(usual, 6, 1.5, 0), 1e-6);
    assertTrue(usual.warmupSeconds() > usual.seconds());
    Budget loading = Budget.of(170, 6, 1.5, 4);
    assertEquals(170, spent(loading, 6, 1.5, 4), 1e-6);
    Budget slow = Budget.of(170, 6, 6, 0);
    assertEquals(4, slow.forks());
    assertEquals(170, spent(slow, 6, 6, 0), 1e-6);
    assertEquals(2, Budget.of(1, 6, 6, 0).forks());
    assertTrue(Budget.of(-1, 6, 6, 0).seconds() > 0);
  }

  private static double spent(Budget budget, int columns, double overhead, double load) {
    double fork = overhead + budget.warmupSeconds() + budget.seconds();
    return budget.forks() * (columns * fork + load);
  }
}
