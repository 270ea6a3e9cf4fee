package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** index, commit, nrt and load as a user types them, forks included. */
class WriteWorkloadsTest {
  private static final String MMAP = "MMapDirectory";
  private static final String RAM = "RamDirectory";

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
        "index  | --threads 0 | --threads must be more than 0: 0",
        "index  | --buffer-mb 0 | --buffer-mb must be more than 0: 0",
        "index  | --cache-mb -1 | --cache-mb must be more than 0: -1",
        "index  | --cache-merge-mb 0 | --cache-merge-mb must be more than 0: 0",
        "index  | --warmup -1 | --warmup must not be negative: -1.0",
        "index  | --docs none.tsv | no such file: none.tsv",
        "commit | --documents-per-commit 1,0 | --documents-per-commit must be more than 0: 0",
        "commit | --places DAX | --places DAX needs --dax FOLDER",
        "commit | --forks 0 | --forks must be more than 0: 0",
        "nrt    | --updates 0 | --updates must be more than 0: 0",
        "nrt    | --updates 0MB | --updates must be more than 0: 0",
        "nrt    | --threads 0 | --threads must be more than 0: 0",
        "nrt    | --reopen-millis 0 | --reopen-millis must be more than 0: 0",
        "nrt    | --reopens 0 | --reopens must be more than 0: 0",
        "nrt    | --commit-seconds 0 | --commit-seconds must be more than 0: 0",
        "nrt    | --tasks none.tasks | no such file: none.tasks",
        "nrt    | --updates 1.5 | Invalid value for option '--updates': not a rate: '1.5' (write"
            + " 1000 for documents, 1MB for bytes of them); see ./run nrt --help",
        "load   | --updates -1 | --updates must not be negative: -1",
        "load   | --rates 100,0 | --rates must be more than 0: 0",
        "load   | --rates 300000 | --rates must be at most 200000.0: 300000.0",
        "load   | --rates 100000 --seconds 60 | --rates times --seconds, or --warmup, must be at"
            + " most 5,000,000 requests: 100,000 for 60 s",
        "load   | --freeze 1 | --freeze needs given rates: add --rates",
        "load   | --freeze 2 --rates 10 --seconds 3 | --freeze must be at most half of --seconds:"
            + " 2.0 of 3.0",
        "load   | --sla fast | Invalid value for option '--sla': not a time: 'fast' (write 100ms, 2s"
            + " or 3m); see ./run load --help",
        "load   | --heap 12 | --heap must be at least 1m: 12",
        "load   | --serve 0 --connect a:1 | --serve and --connect are for two processes: give one of"
            + " them",
        "load   | --bind 0.0.0.0 | --bind needs --serve",
        "load   | --serve 70000 | --serve must be a port from 0 to 65535: 70000",
        "load   | --serve 0 --rates 5 | --rates is the client's: leave it out with --serve",
        "load   | --serve 0 | --serve needs one directory, collector and heap: give --directories"
            + " NAME and at most one of --gc and of --heap",
        "load   | --connect a:1 --gc G1 | --gc is the server's: leave it out with --connect",
        "load   | --connect host:0 | --connect must be HOST:PORT: host:0",
        "load   | --connect 127.0.0.1:1 --rates 10 | no load server at 127.0.0.1:1: it cannot be"
            + " reached"
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
      names.removeAll(Set.of("index", "cells"));
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

  private static boolean has(Results results, String directory, String task) {
    return results.result(directory, task).isPresent();
  }

  private static Histogram histogram(Results results, String directory, String task) {
    return results.latencies().stream()
        .filter(l -> l.directory().equals(directory) && l.task().equals(task))
        .map(l -> EncodedHistogram.decode(l.forks().get(0)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(directory + ": " + task));
  }

  @Test
  void index() throws IOException {
    Results results =
        results(
            "index",
            1500,
            "--copies 2 --buffer-mb 0.2 --directories ByteBuffersDirectory,NrtCacheDirectory"
                + " --meter-cost --forks 2 --warmup 0 --seconds 0.01");
    String plain = MMAP + " (no meter)";
    assertEquals(
        List.of(MMAP, MMAP + " (again)", plain, "ByteBuffersDirectory", "NrtCacheDirectory"),
        results.directories());
    assertTrue(median(results, MMAP, "merges") >= 1);
    double speed = median(results, MMAP, "documents per second");
    assertTrue(median(results, MMAP, "documents per second without sync") > speed);
    double own = median(results, MMAP, "own time per 10,000 documents");
    // No more than three threads can be in the directory at the same time.
    assertTrue(own > 0 && own < 3 * 10_000 / speed * 1000, "own " + own + " ms");
    assertEquals(
        own,
        Stream.of("create", "write", "finish", "open", "read", "close", "delete", "rename", "look")
            .mapToDouble(operation -> median(results, MMAP, "own " + operation))
            .sum(),
        own * 0.3,
        "the parts, each a median of its own, make about the whole");
    assertTrue(!has(results, plain, "own time per 10,000 documents"));
    assertTrue(has(results, plain, "documents per second"));
    for (String reference : List.of(MMAP, "ByteBuffersDirectory")) {
      assertTrue(results.ratio("NrtCacheDirectory", reference, "documents per second").isPresent());
    }
  }

  /** Neither folder is what it should be, whatever the machine has. */
  @Test
  void commit() throws IOException {
    Path none = folder.resolve("none");
    Path dax = Files.createDirectory(folder.resolve("dax"));
    Results results =
        results(
            "commit",
            300,
            "--documents-per-commit 1,20 --forks 1 --warmup 0 --seconds 0.1 --tmpfs "
                + none
                + " --dax "
                + dax);
    assertEquals(
        List.of(MMAP, MMAP + " (again)", "PmemDirectory FILE", "RamDirectory-backed"),
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
    assertTrue(results.skipped().get(2).reason().contains("does not map with MAP_SYNC"));
    try (Stream<Path> left = Files.list(dax)) {
      assertEquals(List.of(), left.toList());
    }
    assertTrue(
        String.valueOf(results.environment().get("directories")).contains("engine=JDK mode=FILE"));
    assertTrue(results.hints().toString().contains("No persistent memory was measured"));
    for (String directory : results.directories()) {
      for (int size : new int[] {1, 20}) {
        for (String figure :
            List.of("commit of %d p50", "commit of %d p99", "first commit of %d")) {
          String task = String.format(Locale.ROOT, figure, size);
          double own = median(results, directory, "own part of " + task);
          double whole = median(results, directory, task);
          assertTrue(own > 0 && own < whole, directory + ": own " + own + " us, whole " + whole);
        }
        double commits = median(results, directory, "commits of " + size);
        assertEquals(
            (long) commits, histogram(results, directory, "commit of " + size).getTotalCount());
        // Half of the commits take at least the median.
        double half = median(results, directory, "commit of " + size + " p50");
        double speed = median(results, directory, "documents per second by " + size);
        assertTrue(speed > 0 && speed < 2.01 * size / half * 1e6, directory + ": " + speed);
      }
    }
  }

  @Test
  void nrt() throws IOException {
    int reopens = 12;
    Results results =
        results(
            "nrt",
            3000,
            "--directories RamDirectory --kinds HighTerm,PKLookup --queries 3 --updates 0.01MB"
                + " --reopen-millis 50 --commit-seconds 0.3 --forks 2 --warmup 0.3 --seconds 1.2"
                + " --reopens "
                + reopens);
    String baseline = "NRTCachingDirectory";
    assertEquals(List.of(baseline, baseline + " (again)", RAM), results.directories());
    Map<?, ?> plan = (Map<?, ?>) Objects.requireNonNull(results.environment().get("plan"));
    Map<?, ?> text = (Map<?, ?>) Objects.requireNonNull(results.environment().get("text"));
    double meanBytes = number(text, "bytes") / number(text, "documents");
    assertEquals(10_000 / meanBytes, number(plan, "updatesPerSecond"), 0.51);
    for (String directory : results.directories()) {
      List<Double> samples = results.result(directory, "reopens").orElseThrow().samples();
      assertTrue(samples.stream().mapToDouble(s -> s).sum() >= reopens, directory);
      for (Latency latency : Latency.values()) {
        Histogram histogram = histogram(results, directory, latency.label());
        double millis = histogram.getValueAtPercentile(99) / 1e6;
        Result p99 = results.result(directory, latency.label() + " p99").orElseThrow();
        assertEquals(millis, p99.samples().get(0), millis * 1e-4, directory + latency);
      }
      assertTrue(
          median(results, directory, "own part of reopen p50")
              <= median(results, directory, "reopen p50"));
      double rate = median(results, directory, "updates per second");
      assertTrue(rate > 0 && rate < 300, directory + " " + rate);
      assertTrue(median(results, directory, "queries per second") > 0);
      assertTrue(median(results, directory, "safepoints, all") > 0);
    }
    assertTrue(results.ratio(RAM, baseline, "own part of reopen p50").isPresent());
    assertEquals(3, results.series().size());
  }

  private static double number(Map<?, ?> facts, String name) {
    return ((Number) Objects.requireNonNull(facts.get(name))).doubleValue();
  }

  private static final String SMALL =
      "--directories RamDirectory --heap 256m --queries 5 --reopen-millis 100 ";

  @Test
  void loadAtGivenRatesAndAgain() throws IOException {
    String arguments = SMALL + "--warmup 0.5 --forks 1 --rates 50,200 --seconds 1 --sla 5s";
    Results results = results("load", 3000, arguments);
    assertEquals(List.of(MMAP, MMAP + " (again)", RAM), results.directories());
    for (String directory : results.directories()) {
      assertEquals(200, median(results, directory, "capacity"));
      for (String rate : List.of("50/s", "200/s")) {
        double before = 0;
        for (String percentile : Recorded.LABELS) {
          double millis = median(results, directory, "latency at " + rate + " " + percentile);
          assertTrue(millis >= before && millis > 0, rate + " " + percentile);
          before = millis;
        }
        double expected = Double.parseDouble(rate.replace("/s", ""));
        assertEquals(
            expected,
            (double) histogram(results, directory, "latency at " + rate).getTotalCount(),
            6 * Math.sqrt(expected));
        assertEquals(100, median(results, directory, "sent at " + rate), 1);
        assertTrue(median(results, directory, "minor faults at " + rate) >= 0);
      }
      assertEquals(100, median(results, directory, "updates per second"), 20);
      assertTrue(median(results, directory, "heap after the load") > 1);
      assertTrue(median(results, directory, "reopen p50") > 0);
    }
    assertTrue(results.ratio(RAM, MMAP, "latency at 200/s p99.9").isPresent());
    checkResume(arguments, results);
  }

  /** With one fork gone only that one is measured again. */
  private void checkResume(String arguments, Results first) throws IOException {
    Path kept = out().resolve("cells").resolve("1-0.json");
    Path gone = out().resolve("cells").resolve("1-2.json");
    FileTime time = Files.getLastModifiedTime(kept);
    String wasGone = Files.readString(gone);
    Files.delete(gone);
    Results second = results("load", 3000, arguments + " --resume");
    assertEquals(time, Files.getLastModifiedTime(kept));
    assertNotEquals(wasGone, Files.readString(gone));
    String task = "latency at 200/s p99";
    assertEquals(first.result(MMAP, task), second.result(MMAP, task));
    ended(
            "load",
            "--docs " + folder.resolve("a.tsv") + " " + arguments.replace("5s", "6s") + " --resume")
        .assertRefused(
            "cannot resume "
                + out()
                + ": pace.limitMillis was 5000.0 and is 6000.0; give the same options, or leave out"
                + " --resume to start again");
  }

  @Test
  void capacityIsSearchedAndColumnsComparedAtHalfOfIt() throws IOException {
    Results results =
        results("load", 3000, SMALL + "--warmup 0.5 --forks 1 --seconds 0.3 --sla 30ms --quick");
    String common =
        results.tasks().stream().filter(t -> t.endsWith("p99.99")).findFirst().orElseThrow();
    double rate = Double.parseDouble(common.replaceAll(".* at (.*)/s.*", "$1").replace(",", ""));
    double capacity = median(results, MMAP, "capacity");
    double most =
        results.series().stream()
            .flatMap(series -> series.points().stream())
            .mapToDouble(Results.At::x)
            .max()
            .orElseThrow();
    // Half of the better of two searches of the first server, whose capacity is that of one.
    assertTrue(rate >= capacity / 2 * 0.99, rate + " of " + capacity);
    assertTrue(rate <= most / 2 * 1.01, rate + " of " + most);
    assertTrue(results.ratio(RAM, MMAP, common).isPresent());
    assertTrue(results.ratio(RAM, MMAP, "capacity").isPresent());
  }

  /** The client sends on while nobody answers, and what waits counts from when it was due. */
  @Test
  void aStoppedServerShowsInTheTail() throws IOException {
    Results results =
        results("load", 3000, SMALL + "--warmup 2 --forks 1 --rates 100 --seconds 3 --freeze 1");
    for (String directory : results.directories()) {
      assertEquals(100, median(results, directory, "sent at 100/s"), 1);
      assertTrue(median(results, directory, "latency at 100/s p50") < 500, directory);
      assertTrue(median(results, directory, "latency at 100/s p99") > 700, directory);
      assertTrue(median(results, directory, "latency at 100/s p99.9") > 900, directory);
    }
  }

  /** Server and client apart, as on two machines. */
  @Test
  @Timeout(180)
  void clientOfAServerThatServesUntilItIsEnded() throws Exception {
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), 3000);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "load",
                "--serve",
                "0",
                "--out",
                folder.resolve("served").toString(),
                "--docs",
                lines.toString()));
    command.addAll(List.of(SMALL.strip().split(" ", -1)));
    Process server =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader output = server.inputReader()) {
      String line = output.readLine();
      while (line != null && !line.startsWith("Serving ")) {
        line = output.readLine();
      }
      assertTrue(line != null && line.startsWith("Serving RamDirectory at 127.0.0.1:"), line);
      String port = Objects.requireNonNull(line).replaceAll(".*:(\\d+) .*", "$1");
      for (int i = 0; i < 2; i++) {
        ended(
                "load",
                "--connect 127.0.0.1:" + port + " --rates 100 --forks 2 --warmup 0.5 --seconds 1")
            .assertDone();
      }
    } finally {
      server.descendants().forEach(ProcessHandle::destroyForcibly);
      server.destroyForcibly().onExit().join();
    }
    Results results = Results.read(out().resolve("results.json"));
    assertEquals(List.of(RAM), results.directories());
    assertEquals(2, results.result(RAM, "latency at 100/s p99").orElseThrow().samples().size());
    assertEquals(100, median(results, RAM, "updates per second"), 20);
  }
}
