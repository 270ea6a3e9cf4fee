package io.github.lucenedirectories.benchmarks.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it, forks included. */
class IndexCommandTest {
  private static final int DOCUMENTS = 1500;

  @TempDir private Path folder;

  private EndedCommand run(String... arguments) {
    return EndedCommand.run("index", folder.resolve("out"), arguments);
  }

  @Test
  void inputIsRefusedInOneLine() throws IOException {
    run("--threads", "0").assertRefused("--threads must be more than 0: 0");
    run("--buffer-mb", "0").assertRefused("--buffer-mb must be more than 0: 0");
    run("--cache-mb", "-1").assertRefused("--cache-mb must be more than 0: -1");
    run("--cache-merge-mb", "0").assertRefused("--cache-merge-mb must be more than 0: 0");
    run("--forks", "0").assertRefused("--forks must be more than 0: 0");
    run("--warmup", "-1").assertRefused("--warmup must not be negative: -1.0");
    run("--copies", "0").assertRefused("--copies must be more than 0: 0");
    run("--docs", "none.tsv").assertRefused("no such file: none.tsv");
    EndedCommand directory = run("--directories", "FooDirectory");
    assertEquals(2, directory.status());
    assertTrue(directory.err().startsWith("unknown directory 'FooDirectory': choose from MMap"));
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = Files.writeString(folder.resolve("bad.tsv"), "a line without tabs\n");
    run("--docs", lines.toString())
        .assertRefused(lines + ":1: a line without tabs, expected title TAB date TAB body");
    assertEquals(before, EndedCommand.temporaryFiles());
    assertEquals(Set.of(), names(folder.resolve("out")));
    Path file = Files.writeString(folder.resolve("file"), "");
    EndedCommand.run("index", file).assertRefused("not a folder: " + file);
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(f -> f.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void smallRunFromTextToReport() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    EndedCommand ended =
        run(
            "--docs",
            lines.toString(),
            "--copies",
            "2",
            "--buffer-mb",
            "0.2",
            "--directories",
            "ByteBuffersDirectory,NrtCacheDirectory",
            "--meter-cost",
            "--forks",
            "2",
            "--warmup",
            "0",
            "--seconds",
            "0.01");
    ended.assertDone();
    assertEquals(before, EndedCommand.temporaryFiles(), "nothing is left in the temporary folder");
    Path out = folder.resolve("out");
    assertEquals(Set.of("report.html", "results.json"), names(out));
    assertTrue(ended.out().contains("a.tsv, 2 copies: 3,000 documents"), ended.out());
    assertTrue(ended.out().contains("Ratio to ByteBuffersDirectory"), ended.out());
    checkResults(Results.read(out.resolve("results.json")));
    String html = Files.readString(out.resolve("report.html"));
    assertFalse(html.contains("http"), "the page needs no network");
    assertTrue(html.contains("<svg") && html.contains("by operation"));
    assertTrue(html.contains("Beside the measurement"));
  }

  private static void checkResults(Results results) {
    assertEquals(
        List.of(
            "MMapDirectory",
            "MMapDirectory (again)",
            "MMapDirectory (no meter)",
            "ByteBuffersDirectory",
            "NrtCacheDirectory"),
        results.directories());
    for (String fact : List.of("cpu", "fileSystem", "jvmFlags", "seed", "command", "plan")) {
      assertTrue(results.environment().containsKey(fact), fact);
    }
    for (Result result : results.results()) {
      assertEquals("index", result.workload());
      assertEquals(2, result.samples().size(), "one a fork");
    }
    for (String directory : results.directories()) {
      assertTrue(median(results, directory, "resident memory") > 50, directory);
    }
    Result merges = results.result("MMapDirectory", "merges").orElseThrow();
    assertTrue(merges.median() >= 1, "merges " + merges.median());
    double speed = median(results, "MMapDirectory", "documents per second");
    assertTrue(median(results, "MMapDirectory", "documents per second without sync") > speed);
    // On a core for less than it takes, and not more than three threads can be on in that time.
    double own = median(results, "MMapDirectory", "own time per 10,000 documents");
    assertTrue(own > 0 && own < 3 * 10_000 / speed * 1000, "own " + own + " ms");
    assertEquals(
        own,
        Stream.of("create", "write", "finish", "open", "read", "close", "delete", "rename", "look")
            .mapToDouble(operation -> median(results, "MMapDirectory", "own " + operation))
            .sum(),
        own * 0.3,
        "the parts, each a median of its own, make about the whole");
    assertTrue(
        results.result("MMapDirectory (no meter)", "own time per 10,000 documents").isEmpty());
    assertTrue(
        results
            .ratio("NrtCacheDirectory", "ByteBuffersDirectory", "documents per second")
            .isPresent());
  }

  private static double median(Results results, String directory, String task) {
    return results.result(directory, task).orElseThrow().median();
  }
}
