package io.github.lucenedirectories.benchmarks.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it. */
class ReportCommandTest {
  @TempDir private Path folder;

  private EndedCommand run(String... arguments) {
    return EndedCommand.run("report", folder.resolve("out"), arguments);
  }

  private String page() throws IOException {
    return Files.readString(folder.resolve("out").resolve("report.html"));
  }

  private Path written(String name, Results results) throws IOException {
    Path run = Files.createDirectories(folder.resolve(name));
    results.write(run.resolve("results.json"));
    return run;
  }

  @Test
  void pageIsDrawnAgain() throws IOException {
    Results results = SampleResults.of("load", 1);
    Path run = written("run", results);
    Path original = folder.resolve("original.html");
    new RunPage(Results.read(run.resolve("results.json"))).write(original);
    Path csv = folder.resolve("csv");
    Path charts = folder.resolve("charts");
    EndedCommand ended =
        run(run.toString(), "--csv", csv.toString(), "--charts", charts.toString());
    ended.assertDone();
    assertEquals(Files.readString(original), page());
    assertTrue(page().contains("./run load --a-long-option"));
    assertFalse(page().contains("http"), "the page needs no network");
    assertEquals(
        List.of(
            "by-requests-s-p99-by-rate",
            "latency-query-p99-mmapdirectory-s",
            "over-time-slowest-reopen-over-time",
            "percentiles-query"),
        names(csv, ".csv"));
    assertEquals(names(csv, ".csv"), names(charts, ".svg"));
    List<String> lines = Files.readAllLines(csv.resolve("percentiles-query.csv"));
    assertEquals("line,percentile,ms,low,high", lines.get(0));
    assertTrue(lines.get(1).matches("MMapDirectory,p50,[01]\\.\\d+,[01]\\.\\d+,[01]\\.\\d+"));
    assertTrue(lines.stream().anyMatch(l -> l.startsWith("NrtCacheDirectory,p99.99,")));
    // The file by itself is a run too.
    run(run.resolve("results.json").toString()).assertDone();
  }

  private static List<String> names(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString().replace(ending, "")).sorted().toList();
    }
  }

  @Test
  void runsAreComparedAndWhatTheyDifferByIsTold() throws IOException {
    Path one = written("one", SampleResults.of("load", 1));
    Results slower = SampleResults.of("load", 1.3);
    slower.environment().put("cpu", "Another processor");
    slower.environment().put("plan", Map.of("seconds", 3, "forks", 5));
    Path two = written("two", slower);
    EndedCommand ended = run(one.toString(), two.toString());
    ended.assertDone();
    String warning =
        "The settings differ, so ratios between the runs are of more than the directories:"
            + " plan.seconds 2 / 3.";
    assertTrue(ended.out().contains("WARNING: " + warning), ended.out());
    String page = page();
    assertTrue(page.contains("<p class='warning'>" + warning));
    assertTrue(page.contains("<td>cpu</td><td><code>A processor</code></td>"));
    assertTrue(page.contains("<td class='slower'>1.30<small>"), "each latency is 1.3 times");
    assertTrue(page.contains(">A one<") && page.contains(">B two<"), "a line for each run");
    assertTrue(page.contains("Query: RamDirectory"), "a chart for each directory");
    Path equal = written("equal", SampleResults.of("load", 1));
    EndedCommand same = run(one.toString(), equal.toString());
    same.assertDone();
    assertFalse(same.out().contains("WARNING"), same.out());
  }

  @Test
  void whatCannotBeShownIsRefusedInOneLine() throws IOException {
    Path load = written("load", SampleResults.of("load", 1));
    Path nrt = written("nrt", SampleResults.of("nrt", 1));
    run(load.toString(), nrt.toString())
        .assertRefused(
            "runs of different commands have no measures in common: "
                + load
                + " is of load, "
                + nrt
                + " is of nrt");
    run("none").assertRefused("no such run: none (a folder with results.json, or that)");
    Path text = Files.writeString(folder.resolve("text"), "text");
    run(text.toString())
        .assertRefused("not the results of a run: " + text + " is damaged at line 1, column 1");
    Path cut = Files.writeString(folder.resolve("cut"), "{\"results\":[");
    run(cut.toString())
        .assertRefused("not the results of a run: " + cut + " is damaged at line 1, column 13");
    Path empty = Files.writeString(folder.resolve("empty"), "{}");
    run(empty.toString())
        .assertRefused("not the results of a run: " + empty + ": no figures in it");
    assertEquals(2, run().status());
    assertFalse(Files.exists(folder.resolve("out")), "nothing is written");
  }

  @Test
  void fileThatCannotBeWrittenIsNamed() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full));
    String refused = "cannot write /dev/full: No space left on device";
    Results results = SampleResults.of("load", 1);
    assertEquals(
        refused, assertThrows(UsageException.class, () -> results.write(full)).getMessage());
    RunPage page = new RunPage(results);
    assertEquals(refused, assertThrows(UsageException.class, () -> page.write(full)).getMessage());
  }
}
