package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.directories.WritableDirectory;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags.Collector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The grid of directories, collectors and heaps. */
class LoadColumnTest {

  private static List<String> labels(List<Collector> collectors, List<Long> heaps) {
    return LoadColumn.grid(
            WritableDirectory.MMAP, List.of("ramdirectory", "MMapDirectory"), collectors, heaps)
        .stream()
        .map(LoadColumn::label)
        .toList();
  }

  @Test
  void oneCollectorNeedsNoName() {
    assertEquals(
        List.of("MMapDirectory", "MMapDirectory (again)", "RamDirectory"),
        labels(List.of(Collector.ZGC), List.of(512L)));
  }

  @Test
  void eachPlaceOfTheGridHasABaselineAndItsDouble() {
    assertEquals(
        List.of(
            "MMapDirectory G1 512m",
            "MMapDirectory G1 512m (again)",
            "RamDirectory G1 512m",
            "MMapDirectory Parallel 512m",
            "MMapDirectory Parallel 512m (again)",
            "RamDirectory Parallel 512m"),
        labels(List.of(Collector.G1, Collector.PARALLEL), List.of(512L)));
    LoadColumn last =
        LoadColumn.grid(
                WritableDirectory.MMAP,
                List.of("RamDirectory"),
                List.of(Collector.G1),
                List.of(1L, 2L))
            .getLast();
    assertEquals("RamDirectory G1 2m", last.label());
    assertEquals("MMapDirectory G1 2m", last.baseline());
    assertEquals(2, last.heapMegabytes());
  }
}
