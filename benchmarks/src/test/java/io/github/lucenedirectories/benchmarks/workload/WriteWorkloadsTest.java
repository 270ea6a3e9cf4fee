// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.harness.DeviceCounts;
import io.github.lucenedirectories.benchmarks.load.CapacitySearch;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** commit, nrt and load as a user types them, forks included. */
class WriteWorkloadsTest {
  private static final String MMAP = "MMapDirectory";
  private static final String RAM = "RamDirectory";
  private static final String JOURNALED = "NrtCacheDirectory-journal";

  @TempDir private Path folder;

  private Path out() {
    return folder.resolve("out");
  }

  private EndedCommand ended(String command, String arguments) {
    return EndedCommand.run(
        command, out(), arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "commit | --documents-per-commit 1,0 | --documents-per-commit must be more than 0: 0",
        "commit | --indexes 0 | --indexes must be more than 0: 0",
        "commit | --recovery 1m | --recovery must be at least 64m",
        "commit | --forks 0 | --forks must be more than 0: 0",
        "nrt    | --updates 0 | --updates must be more than 0: 0",
        "nrt    | --updates 0MB | --updates must be more than 0: 0",
        "nrt    | --threads 0 | --threads must be more than 0: 0",
        "nrt    | --reopen-millis 0 | --reopen-millis must be more than 0: 0",
        "nrt    | --commit-seconds 0 | --commit-seconds must be more than 0: 0",
        "nrt    | --tasks none.tasks | no such file: none.tasks",
        "nrt    | --updates 1.5 | --updates must be like 1000 for documents, or 1MB for bytes of"
            + " them: '1.5'",
        "load   | --updates -1 | --updates must not be negative: -1",
        "load   | --rates 100,0 | --rates must be more than 0: 0",
        "load   | --rates 100000 --seconds 60 | --rates times --seconds, or --warmup, must be at"
            + " most 5,000,000 requests: 100,000 for 60 s",
        "load   | --sla fast | Invalid value for option '--sla': not a time: 'fast' (write 100ms, 2s"
            + " or 3m); see ./run load --help",
        "load   | --heap 12kb | Invalid value for option '--heap': not a number of bytes: '12kb' (write"
            + " for example 65536, 64k, 1400m or 2g); see ./run load --help",
        "load   | --heap 12 | --heap must be at least 1m: 12"
      })
  void inputIsRefusedInOneLine(String command, String arguments, String message) {
    ended(command, arguments).assertRefused(message);
  }

  /** Runs a command on a small text, and checks what every command leaves behind. */
  private Results results(String command, int documents, String arguments) throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = folder.resolve("a.tsv");
    if (!Files.exists(lines)) {
      SampleText.lineFile(lines, documents);
    }
    ended(command, "--docs " + lines + " " + arguments).assertDone();
    assertEquals(before, EndedCommand.temporaryFiles(), "nothing is left in the temporary folder");
    try (Stream<Path> files = Files.list(out())) {
      Set<String> names =
          files
              .map(f -> f.getFileName().toString().replaceFirst("index-.*", "index"))
              .collect(Collectors.toCollection(TreeSet::new));
      names.remove("index");
      assertEquals(Set.of("report.html", "results.json"), names);
    }
    Results results = Results.read(out().resolve("results.json"));
    for (Result result : results.results()) {
      assertEquals(command, result.workload());
    }
    for (String directory : results.directories()) {
      assertTrue(median(results, directory, "resident memory") > 50, directory);
    }
    return results;
  }

  private static double median(Results results, String directory, String task) {
    return results
        .result(directory, task)
        .orElseThrow(() -> new AssertionError(directory + ": " + task))
        .median();
  }

  /** The folder of --dax is not on persistent memory, whatever the machine has. */
  @Test
  void commit() throws IOException {
    Path dax = Files.createDirectory(folder.resolve("dax"));
    Results results =
        results(
            "commit",
            300,
            "--documents-per-commit 1,20 --indexes 1,2 --forks 1 --warmup 0 --seconds 0.2"
                + " --recovery 64m --folder "
                + Files.createDirectory(folder.resolve("disk"))
                + " --dax "
                + dax);
    List<String> measured = results.directories();
    assertTrue(
        measured.containsAll(
            List.of(
                MMAP, MMAP + " (again)", "PmemDirectory FILE", "RamDirectory-backed", JOURNALED)),
        measured.toString());
    Map<String, String> skipped =
        results.skipped().stream().collect(Collectors.toMap(Skipped::task, Skipped::reason));
    for (String label :
        List.of("MMapDirectory DAX", "PmemDirectory LLPL DAX", "PmemDirectory JDK DAX")) {
      String reason = String.valueOf(skipped.remove(label));
      assertTrue(reason.contains("does not map with MAP_SYNC"), reason);
    }
    // Where there is no tmpfs, or no library of persistent memory.
    for (String reason : skipped.values()) {
      assertTrue(
          reason.equals("not a tmpfs: /dev/shm") || reason.contains("LLPL cannot be loaded"),
          reason);
    }
    for (Path place : List.of(dax, folder.resolve("disk"))) {
      try (Stream<Path> left = Files.list(place)) {
        assertEquals(List.of(), left.toList());
      }
    }
    assertTrue(median(results, JOURNALED, "recovery") > 0);
    assertTrue(median(results, JOURNALED, "copy") > 0);
    assertTrue(results.ratio(JOURNALED, "NrtCacheDirectory", "reopen p50").isPresent());
    assertTrue(
        String.valueOf(results.environment().get("directories")).contains("engine=JDK mode=FILE"));
    assertTrue(results.hints().toString().contains("No persistent memory was measured"));
    for (String directory : results.directories()) {
      assertTrue(median(results, directory, "reopen p50") > 0);
      for (String way : List.of("1", "20", "1 in 2 indexes", "20 in 2 indexes")) {
        for (String p : List.of(" p50", " p99")) {
          double own = median(results, directory, "own part of commit of " + way + p);
          double whole = median(results, directory, "commit of " + way + p);
          assertTrue(own > 0 && own < whole, directory + ": own " + own + " us, whole " + whole);
        }
        // Half of the commits take at least the median.
        double half = median(results, directory, "commit of " + way + " p50");
        double speed = median(results, directory, "commits per second of " + way);
        double most = (way.endsWith("indexes") ? 4.02 : 2.01) / half * 1e6;
        assertTrue(speed > 0 && speed < most, directory + ": " + speed);
        double documents = median(results, directory, "documents per second by " + way);
        assertEquals(documents, speed * Integer.parseInt(way.split(" ", 2)[0]), documents / 1e4);
        if (DeviceCounts.of(folder) != null && !directory.contains("tmpfs")) {
          assertTrue(median(results, directory, "writes per commit of " + way) >= 1, directory);
          assertTrue(median(results, directory, "bytes written per document by " + way) > 100);
        }
      }
    }
  }

  @Test
  void nrt() throws IOException {
    Results results =
        results(
            "nrt",
            3000,
            "--directories RamDirectory --kinds HighTerm,PKLookup --queries 3 --updates 0.01MB"
                + " --reopen-millis 50 --commit-seconds 0.3 --forks 1 --warmup 0.3 --seconds 2");
    String baseline = "NRTCachingDirectory";
    assertEquals(List.of(baseline, baseline + " (again)", RAM), results.directories());
    Map<?, ?> plan = (Map<?, ?>) Objects.requireNonNull(results.environment().get("plan"));
    Map<?, ?> text = (Map<?, ?>) Objects.requireNonNull(plan.get("lines"));
    double meanBytes = number(text, "bytes") / number(text, "documents");
    assertEquals(10_000 / meanBytes, number(plan, "updatesPerSecond"), 0.51);
    for (String directory : results.directories()) {
      assertTrue(median(results, directory, "reopens") > 0, directory);
      for (Latency latency : Latency.values()) {
        assertTrue(median(results, directory, latency.label + " p99") > 0, directory + latency);
      }
      assertTrue(
          median(results, directory, "own part of reopen p50")
              <= median(results, directory, "reopen p50"));
      double rate = median(results, directory, "updates per second");
      assertTrue(rate > 0 && rate < 300, directory + " " + rate);
      assertTrue(median(results, directory, "queries per second") > 0);
    }
    assertTrue(results.ratio(RAM, baseline, "reopen p50").isPresent());
  }

  private static double number(Map<?, ?> facts, String name) {
    return ((Number) Objects.requireNonNull(facts.get(name))).doubleValue();
  }

  private static final String SMALL =
      "--heap 256m --queries 5 --reopen-millis 100 --warmup 0.5 --forks 1 --directories ";

  @Test
  void loadAtGivenRates() throws IOException {
    Results results =
        results("load", 3000, SMALL + "MMapDirectory --rates 20,50 --seconds 1 --sla 30s");
    assertEquals(List.of(MMAP, MMAP + " (again)"), results.directories());
    for (String directory : results.directories()) {
      assertEquals(50, median(results, directory, "capacity"));
      for (String rate : List.of("20/s", "50/s")) {
        double before = 0;
        for (String percentile : Recorded.LABELS) {
          double millis = median(results, directory, "latency at " + rate + " " + percentile);
          assertTrue(millis >= before && millis > 0, rate + " " + percentile);
          before = millis;
        }
        assertTrue(median(results, directory, "minor faults at " + rate) >= 0);
      }
      assertEquals(100, median(results, directory, "updates per second"), 20);
      assertTrue(median(results, directory, "heap after the load") > 1);
      assertTrue(median(results, directory, "reopen p50") > 0);
    }
    assertTrue(results.ratio(MMAP + " (again)", MMAP, "latency at 50/s p99.9").isPresent());
    assertEquals(
        List.of("20", "50"),
        results.tables().getFirst().rows().stream().map(List::getFirst).toList());
  }

  @Test
  @EnabledIfSystemProperty(named = "testkit.all", matches = "true", disabledReason = "takes long")
  void capacityIsSearchedAndColumnsComparedAtHalfOfIt() throws IOException {
    Results results =
        results("load", 3000, SMALL + "RamDirectory --seconds 0.3 --sla 30ms --quick");
    String common =
        results.tasks().stream().filter(t -> t.endsWith("p99.99")).findFirst().orElseThrow();
    double rate = Double.parseDouble(common.replaceAll(".* at (.*)/s.*", "$1").replace(",", ""));
    double capacity = median(results, MMAP, "capacity");
    double most =
        results.tables().getFirst().rows().stream()
            .mapToDouble(row -> Double.parseDouble(row.getFirst().replace(",", "")))
            .max()
            .orElseThrow();
    // Half of the better of two searches of the first server, whose capacity is that of one.
    assertTrue(rate >= capacity / 2 * 0.99, rate + " of " + capacity);
    assertTrue(rate <= most / 2 * 1.01, rate + " of " + most);
    assertTrue(results.ratio(RAM, MMAP, common).isPresent());
    assertTrue(results.ratio(RAM, MMAP, "capacity").isPresent());
  }

  /** A server that has just started would fall behind, and no search tries such a rate again. */
  @Test
  void searchesBeginAtAnEighthOfTheRateInCommon() {
    assertEquals(128, CapacitySearch.rate(LoadRun.start(null)));
    assertEquals(1_024, CapacitySearch.rate(LoadRun.start(CapacitySearch.place(8_192))), 10);
    assertEquals(0, LoadRun.start(5));
  }
}
