package io.github.lucenedirectories.benchmarks.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Latencies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it, forks included. */
class NrtCommandTest {
  private static final int DOCUMENTS = 3000;
  private static final int REOPENS = 12;

  @TempDir private Path folder;

  private EndedCommand run(String... arguments) {
    return EndedCommand.run("nrt", folder.resolve("out"), arguments);
  }

  @Test
  void inputIsRefusedInOneLine() throws IOException {
    run("--updates", "0").assertRefused("--updates must be more than 0: 0");
    run("--updates", "0MB").assertRefused("--updates must be more than 0: 0");
    run("--threads", "0").assertRefused("--threads must be more than 0: 0");
    run("--reopen-millis", "0").assertRefused("--reopen-millis must be more than 0: 0");
    run("--reopens", "0").assertRefused("--reopens must be more than 0: 0");
    run("--commit-seconds", "0").assertRefused("--commit-seconds must be more than 0: 0");
    run("--seconds", "0").assertRefused("--seconds must be more than 0: 0");
    run("--tasks", "none.tasks").assertRefused("no such file: none.tasks");
    run("--updates", "1.5")
        .assertRefused(
            "Invalid value for option '--updates': not a rate: '1.5' (write 1000 for documents, 1MB"
                + " for bytes of them)");
    EndedCommand dax = run("--dax", folder.toString());
    assertEquals(2, dax.status());
    assertTrue(dax.err().startsWith("--dax " + folder + ": "), dax.err());
    assertTrue(dax.err().strip().endsWith("to let ordinary memory stand for persistent memory"));
    assertEquals(1, dax.err().strip().lines().count());
    EndedCommand kind = run("--kinds", "Foo");
    assertEquals(2, kind.status());
    assertTrue(kind.err().startsWith("unknown kind 'Foo': choose from HighTerm, "));
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = Files.writeString(folder.resolve("bad.tsv"), "a line without tabs\n");
    run("--docs", lines.toString())
        .assertRefused(lines + ":1: a line without tabs, expected title TAB date TAB body");
    assertEquals(before, EndedCommand.temporaryFiles());
  }

  @Test
  void smallRunFromTextToReport() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    EndedCommand ended =
        run(
            "--docs",
            lines.toString(),
            "--directories",
            "RamDirectory",
            "--kinds",
            "HighTerm,PKLookup",
            "--queries",
            "3",
            "--updates",
            "0.01MB",
            "--reopen-millis",
            "50",
            "--reopens",
            Integer.toString(REOPENS),
            "--commit-seconds",
            "0.3",
            "--forks",
            "2",
            "--warmup",
            "0.3",
            "--seconds",
            "1.2");
    ended.assertDone();
    assertEquals(before, EndedCommand.temporaryFiles(), "nothing is left in the temporary folder");
    Path out = folder.resolve("out");
    try (Stream<Path> files = Files.list(out)) {
      Set<String> names =
          files
              .map(f -> f.getFileName().toString().replaceFirst("index-.*", "index"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(Set.of("index", "report.html", "results.json"), names);
    }
    assertTrue(ended.out().contains("a commit every 0.3 s"), ended.out());
    checkResults(Results.read(out.resolve("results.json")));
    String html = Files.readString(out.resolve("report.html"));
    assertFalse(html.contains("http"), "the page needs no network");
    assertTrue(html.contains("Queries per second over time") && html.contains("<polyline"));
    assertTrue(html.contains("Beside the measurement"));
    assertTrue(html.contains("Slowest reopen of each second over time"));
    EndedCommand.run("report", folder.resolve("again"), out.toString()).assertDone();
    assertEquals(html, Files.readString(folder.resolve("again").resolve("report.html")));
  }

  private static void checkResults(Results results) {
    assertEquals(
        List.of("NRTCachingDirectory", "NRTCachingDirectory (again)", "RamDirectory"),
        results.directories());
    Map<?, ?> text = (Map<?, ?>) Objects.requireNonNull(results.environment().get("text"));
    Map<?, ?> plan = (Map<?, ?>) Objects.requireNonNull(results.environment().get("plan"));
    Map<?, ?> load = (Map<?, ?>) Objects.requireNonNull(plan.get("load"));
    assertEquals(
        10_000 / (number(text, "bytes") / number(text, "documents")),
        number(load, "updatesPerSecond"),
        0.51);
    for (String directory : results.directories()) {
      double reopens =
          results.result(directory, "reopens").orElseThrow().samples().stream()
              .mapToDouble(Double::doubleValue)
              .sum();
      assertTrue(reopens >= REOPENS, directory + " " + reopens);
      for (Latency latency : Latency.values()) {
        checkLatency(results, directory, latency);
      }
      assertTrue(
          median(results, directory, "own part of reopen p50")
              <= median(results, directory, "reopen p50"));
      double rate = median(results, directory, "updates per second");
      assertTrue(rate > 0 && rate < 300, directory + " " + rate);
      assertTrue(median(results, directory, "resident memory") > 50);
      assertTrue(median(results, directory, "safepoints, all") > 0);
      List<List<Double>> seconds =
          results.result(directory, "queries per second").orElseThrow().repetitions();
      assertTrue(seconds.get(0).get(0) > 0, "queries in the first second");
    }
    assertTrue(
        results.ratio("RamDirectory", "NRTCachingDirectory", "own part of reopen p50").isPresent());
  }

  private static double number(Map<?, ?> facts, String name) {
    return ((Number) Objects.requireNonNull(facts.get(name))).doubleValue();
  }

  private static double median(Results results, String directory, String task) {
    return results.result(directory, task).orElseThrow().median();
  }

  /** The histograms that are kept are those that the percentiles were taken from. */
  private static void checkLatency(Results results, String directory, Latency latency) {
    List<Latencies> all = Objects.requireNonNull(results.latencies());
    List<String> forks =
        all.stream()
            .filter(l -> l.directory().equals(directory) && l.task().equals(latency.label()))
            .map(Latencies::forks)
            .findFirst()
            .orElseThrow(() -> new AssertionError(directory + " " + latency));
    List<Double> samples =
        results.result(directory, latency.label() + " p99").orElseThrow().samples();
    assertEquals(2, forks.size());
    for (int i = 0; i < 2; i++) {
      Histogram histogram = EncodedHistogram.decode(forks.get(i));
      assertTrue(histogram.getTotalCount() > 0);
      double millis = histogram.getValueAtPercentile(99) / 1e6;
      assertEquals(millis, samples.get(i), millis * 1e-4);
    }
  }
}
