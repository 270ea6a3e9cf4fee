package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadRamCommandTest {
  private static final int DOCUMENTS = 3000;

  @TempDir private Path folder;

  @Test
  void badInputIsRefusedInOneLine() {
    String out = folder.resolve("out").toString();
    CommandRun.refused("--rounds must be at least 1: 0", "load-ram", "--rounds", "0");
    CommandRun.refused("--threads must be at least 1: 0", "load-ram", "--threads", "0");
    CommandRun.refused("--copies must be more than 0: 0", "load-ram", "--copies", "0");
    CommandRun.refused("no such folder: none", "load-ram", "--index", "none", "--out", out);
    CommandRun.refused(
        "not an index: " + folder + " has no segments file",
        "load-ram",
        "--index",
        folder.toString(),
        "--out",
        out);
  }

  @Test
  void smallRunEndsInTableAndResults() throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    Path index = SampleText.index(lines, folder.resolve("index"));
    Path out = folder.resolve("out");
    CommandRun run =
        CommandRun.of(
            "load-ram",
            "--index",
            index.toString(),
            "--forks",
            "2",
            "--rounds",
            "2",
            "--warmup",
            "1",
            "--threads",
            "2",
            "--out",
            out.toString());
    assertEquals("", run.err());
    assertEquals(0, run.status());
    assertTrue(run.out().contains("segments; 2 threads"), run.out());
    Results results = Results.read(out.resolve("results.json"));
    assertEquals(
        List.of(LoadReport.READ, LoadReport.LOAD, LoadReport.READ_AGAIN),
        results.results().stream().map(Results.Result::directory).toList());
    for (Results.Result result : results.results()) {
      assertEquals("load-ram", result.workload());
      assertEquals("MiB/s", result.unit());
      assertEquals(2, result.samples().size());
      assertEquals(2, result.repetitions().getFirst().size());
    }
    assertEquals(2, results.ratios().size());
    assertEquals(
        2, ((List<?>) results.environment().getOrDefault("heapGrowthBytes", List.of())).size());
  }

  /** What a fork measured on a heap directory, say: the most of all forks counts. */
  @Test
  void theForkWithTheMostHeapGrowthCounts() {
    assertEquals(2_000_000, report().heapGrowthBytes());
  }

  @Test
  void ratesAreBytesOverMedianSeconds() {
    List<String> lines = report().lines();
    assertTrue(lines.get(2).matches("pread, fresh memory +100 .*"), lines.toString());
    assertTrue(lines.get(3).matches("RamDirectory.load +50\\.0 .* 0\\.50 .*"), lines.toString());
    assertTrue(
        lines.get(4).matches("pread, same memory again +200 .* 2\\.00 .*"), lines.toString());
  }

  private static LoadReport report() {
    long bytes = 100L << 20;
    return new LoadReport(
        List.of(
            new LoadTimes(
                3,
                bytes,
                List.of(2.0, 2.0, 9.0),
                List.of(1.0, 1.0, 9.0),
                List.of(0.5, 0.5, 9.0),
                5,
                0,
                0),
            new LoadTimes(3, bytes, List.of(2.0), List.of(1.0), List.of(0.5), 2_000_000, 0, 0)),
        1);
  }
}
