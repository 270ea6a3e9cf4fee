package io.github.lucenedirectories.benchmarks.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it, forks included. */
class CommitCommandTest {
  private static final Path MEMORY = Path.of("/dev/shm");

  @TempDir private Path folder;

  private EndedCommand run(String... arguments) {
    return EndedCommand.run("commit", folder.resolve("out"), arguments);
  }

  @Test
  void inputIsRefusedInOneLine() {
    run("--documents-per-commit", "1,0")
        .assertRefused("--documents-per-commit must be more than 0: 0");
    run("--places", "DAX").assertRefused("--places DAX needs --dax FOLDER");
    run("--forks", "0").assertRefused("--forks must be more than 0: 0");
    run("--docs", "none.tsv").assertRefused("no such file: none.tsv");
    assertFalse(Files.exists(folder.resolve("out")));
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(f -> f.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Whether the machine has persistent memory or a tmpfs or not, the folders here are neither. */
  @Test
  void smallRunFromTextToReport() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), 300);
    Path none = folder.resolve("none");
    Path dax = Files.createDirectory(folder.resolve("dax"));
    EndedCommand ended =
        run(
            "--docs",
            lines.toString(),
            "--documents-per-commit",
            "1,20",
            "--tmpfs",
            none.toString(),
            "--dax",
            dax.toString(),
            "--forks",
            "1",
            "--warmup",
            "0",
            "--seconds",
            "0.1");
    ended.assertDone();
    assertEquals(before, EndedCommand.temporaryFiles(), "nothing is left in the temporary folder");
    Path out = folder.resolve("out");
    assertEquals(Set.of("report.html", "results.json"), names(out));
    assertEquals(Set.of(), names(dax));
    checkResults(Results.read(out.resolve("results.json")), none);
    assertTrue(
        ended.out().contains("Left out: MMapDirectory tmpfs: no such folder: " + none),
        ended.out());
    String html = Files.readString(out.resolve("report.html"));
    assertFalse(html.contains("http"), "the page needs no network");
    assertTrue(html.contains("<svg") && html.contains("by operation"));
    assertTrue(html.contains("Beside the measurement"));
    assertTrue(html.contains("No persistent memory was measured"), "mode FILE is none");
    assertTrue(html.contains(">Commit p50<"), "over the documents per commit");
    EndedCommand.run("report", folder.resolve("again"), out.toString()).assertDone();
    assertEquals(html, Files.readString(folder.resolve("again").resolve("report.html")));
    assertTrue(html.contains("Left out: PmemDirectory LLPL DAX"));
  }

  private static void checkResults(Results results, Path none) {
    assertEquals(
        List.of(
            "MMapDirectory", "MMapDirectory (again)", "PmemDirectory FILE", "RamDirectory-backed"),
        results.directories());
    assertEquals(
        List.of(
            "MMapDirectory tmpfs",
            "PmemDirectory EMULATED tmpfs",
            "MMapDirectory DAX",
            "PmemDirectory LLPL DAX",
            "PmemDirectory JDK DAX"),
        results.skipped().stream().map(Skipped::task).toList());
    assertEquals("no such folder: " + none, results.skipped().get(0).reason());
    assertTrue(
        results.skipped().get(2).reason().contains("does not map with MAP_SYNC"),
        results.skipped().get(2).reason());
    for (String fact : List.of("cpu", "fileSystem", "jvmFlags", "seed", "command", "plan")) {
      assertTrue(results.environment().containsKey(fact), fact);
    }
    assertTrue(
        String.valueOf(results.environment().get("directories")).contains("engine=JDK mode=FILE"),
        "what the directory says of itself");
    for (Result result : results.results()) {
      assertEquals("commit", result.workload());
      assertEquals(1, result.samples().size(), "one a fork");
    }
    results.directories().forEach(directory -> checkTimes(results, directory, 1, 20));
    for (String directory : results.directories()) {
      assertTrue(median(results, directory, "resident memory") > 50, directory);
    }
    assertTrue(results.ratio("PmemDirectory FILE", "MMapDirectory", "commit of 1 p50").isPresent());
  }

  private static void checkTimes(Results results, String directory, int... sizes) {
    for (int size : sizes) {
      for (String percentile : List.of("p50", "p99")) {
        double own = median(results, directory, "own part of commit of " + size + " " + percentile);
        double whole = median(results, directory, "commit of " + size + " " + percentile);
        assertTrue(own > 0 && own < whole, directory + ": own " + own + " us, whole " + whole);
      }
      double firstOwn = median(results, directory, "own part of first commit of " + size);
      double first = median(results, directory, "first commit of " + size);
      assertTrue(firstOwn > 0 && firstOwn < first, directory + ": " + firstOwn + ", " + first);
      double speed = median(results, directory, "documents per second by " + size);
      double commits = median(results, directory, "commits of " + size);
      assertEquals(commits, recorded(results, directory, "commit of " + size));
      assertEquals(commits, recorded(results, directory, "own part of commit of " + size));
      // Half of the commits take at least the median.
      double half = median(results, directory, "commit of " + size + " p50");
      assertTrue(speed < 2.01 * size / half * 1e6, directory + ": " + speed + ", " + half);
      double whole = median(results, directory, "commit of " + size + " p99");
      assertTrue(speed > size / (whole + 1e6) * 1e6, directory + ": adding takes no second");
    }
  }

  private static double recorded(Results results, String directory, String task) {
    return Objects.requireNonNull(results.latencies()).stream()
        .filter(l -> l.directory().equals(directory) && l.task().equals(task))
        .mapToDouble(l -> EncodedHistogram.decode(l.forks().get(0)).getTotalCount())
        .sum();
  }

  private static double median(Results results, String directory, String task) {
    return results.result(directory, task).orElseThrow().median();
  }

  @Test
  void whatWasOnTmpfsIsGone() throws IOException {
    assumeTrue(Files.isDirectory(MEMORY));
    Path tmpfs = Files.createTempDirectory(MEMORY, "commit-");
    try {
      Path lines = SampleText.lineFile(folder.resolve("a.tsv"), 100);
      run(
              "--docs",
              lines.toString(),
              "--documents-per-commit",
              "5",
              "--tmpfs",
              tmpfs.toString(),
              "--forks",
              "1",
              "--warmup",
              "0",
              "--seconds",
              "0.05")
          .assertDone();
      assertEquals(Set.of(), names(tmpfs));
    } finally {
      Files.delete(tmpfs);
    }
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    checkTimes(results, "MMapDirectory tmpfs", 5);
    // Only LLPL may be missing.
    boolean emulated = results.directories().contains("PmemDirectory EMULATED tmpfs");
    assertEquals(
        emulated ? List.of() : List.of("PmemDirectory EMULATED tmpfs"),
        results.skipped().stream().map(Skipped::task).toList());
  }
}
