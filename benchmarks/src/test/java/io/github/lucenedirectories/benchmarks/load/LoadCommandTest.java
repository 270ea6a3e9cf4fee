package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Latencies;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it, forks included. */
class LoadCommandTest {
  private static final int DOCUMENTS = 3000;

  @TempDir private Path folder;

  private EndedCommand run(String... arguments) {
    return EndedCommand.run("load", folder.resolve("out"), arguments);
  }

  @Test
  void inputIsRefusedInOneLine() throws IOException {
    run("--updates", "-1").assertRefused("--updates must not be negative: -1");
    run("--threads", "0").assertRefused("--threads must be more than 0: 0");
    run("--forks", "0").assertRefused("--forks must be more than 0: 0");
    run("--rates", "100,0").assertRefused("--rates must be more than 0: 0");
    run("--rates", "300000").assertRefused("--rates must be at most 200000.0: 300000.0");
    run("--rates", "100000", "--step-seconds", "60")
        .assertRefused(
            "--rates times --step-seconds, or --warmup, must be at most 5,000,000 requests: 100,000"
                + " for 60 s");
    run("--freeze", "1").assertRefused("--freeze needs given rates: add --rates");
    run("--freeze", "2", "--rates", "10", "--step-seconds", "3")
        .assertRefused("--freeze must be at most half of --step-seconds: 2.0 of 3.0");
    run("--sla", "fast")
        .assertRefused(
            "Invalid value for option '--sla': not a time: 'fast' (write 100ms, 2s or 3m)");
    run("--heap", "12").assertRefused("--heap must be at least 1m: 12");
  }

  @Test
  void placesOfClientAndServerAreRefusedWhereTheyMakeNoSense() throws IOException {
    run("--serve", "0", "--connect", "a:1")
        .assertRefused("--serve and --connect are for two processes: give one of them");
    run("--bind", "0.0.0.0").assertRefused("--bind is for --serve alone");
    run("--serve", "70000").assertRefused("--serve must be a port from 0 to 65535: 70000");
    run("--serve", "0", "--rates", "5")
        .assertRefused("--rates is the client's: leave it out beside --serve");
    run("--serve", "0")
        .assertRefused(
            "--serve needs one directory, collector and heap: give --directories NAME and at most"
                + " one of --gc and of --heap");
    run("--connect", "a:1", "--gc", "G1")
        .assertRefused("--gc is the server's: leave it out beside --connect");
    run("--connect", "a:1", "--freeze", "1")
        .assertRefused(
            "--freeze stops the server that load starts itself: leave it out beside"
                + " --connect");
    for (String place : List.of("--serve=0", "--connect=a:1")) {
      run(place, "--preset", "zing")
          .assertRefused(
              "--preset runs server and client on one machine: give its options one by one beside"
                  + " --serve and --connect");
    }
    for (String wrong : List.of("host", "host:", "host:0", ":80", "host:99999")) {
      run("--connect", wrong).assertRefused("--connect must be HOST:PORT: " + wrong);
    }
    EndedCommand nobody = run("--connect", "127.0.0.1:1", "--rates", "10");
    assertEquals(2, nobody.status(), nobody.err());
    assertTrue(nobody.err().startsWith("no load server at 127.0.0.1:1: "), nobody.err());
  }

  private List<String> small(String... more) throws IOException {
    Path lines = folder.resolve("a.tsv");
    if (!Files.exists(lines)) {
      SampleText.lineFile(lines, DOCUMENTS);
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--docs",
                lines.toString(),
                "--directories",
                "RamDirectory",
                "--heap",
                "256m",
                "--queries",
                "5",
                "--reopen-millis",
                "100",
                "--warmup",
                "0.5",
                "--forks",
                "1"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private EndedCommand run(List<String> arguments) {
    return run(arguments.toArray(String[]::new));
  }

  @Test
  void givenRatesFromTextToReportAndAgain() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    List<String> arguments = small("--rates", "50,200", "--step-seconds", "1", "--sla", "5s");
    run(arguments).assertDone();
    assertEquals(before, EndedCommand.temporaryFiles(), "nothing is left in the temporary folder");
    Path out = folder.resolve("out");
    try (Stream<Path> files = Files.list(out)) {
      Set<String> names =
          files
              .map(f -> f.getFileName().toString().replaceFirst("index-.*", "index"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(Set.of("cells", "index", "report.html", "results.json"), names);
    }
    Results results = Results.read(out.resolve("results.json"));
    assertEquals(
        List.of("MMapDirectory", "MMapDirectory (again)", "RamDirectory"), results.directories());
    for (String directory : results.directories()) {
      checkDirectory(results, directory);
    }
    assertTrue(
        results.ratio("RamDirectory", "MMapDirectory", "latency at 200/s p99.9").isPresent());
    String html = Files.readString(out.resolve("report.html"));
    assertFalse(html.contains("http"), "the page needs no network");
    assertTrue(html.contains("By requests/s") && html.contains("<polyline"));
    checkResume(arguments, out);
  }

  private static void checkDirectory(Results results, String directory) {
    assertEquals(200, median(results, directory, "capacity"));
    for (String rate : List.of("50.0/s", "200/s")) {
      double before = 0;
      for (Tail tail : Tail.values()) {
        double millis = median(results, directory, "latency at " + rate + " " + tail.label());
        assertTrue(millis >= before && millis > 0, rate + " " + tail);
        before = millis;
      }
      checkHistogram(results, directory, "latency at " + rate);
      assertEquals(100, median(results, directory, "sent at " + rate), 1);
      assertTrue(median(results, directory, "minor faults at " + rate) >= 0);
    }
    assertEquals(100, median(results, directory, "updates per second"), 20);
    assertTrue(median(results, directory, "heap after the load") > 1);
    assertTrue(median(results, directory, "resident memory") > 50);
    assertTrue(median(results, directory, "mappings") > 50);
    assertTrue(median(results, directory, "reopen p50") > 0);
  }

  /** The histogram that is kept is that of the percentiles, and has the requests of its rate. */
  private static void checkHistogram(Results results, String directory, String task) {
    List<Latencies> all = Objects.requireNonNull(results.latencies());
    String encoded =
        all.stream()
            .filter(l -> l.directory().equals(directory) && l.task().equals(task))
            .map(l -> l.forks().get(0))
            .findFirst()
            .orElseThrow();
    Histogram histogram = EncodedHistogram.decode(encoded);
    double millis = histogram.getValueAtPercentile(99) / 1e6;
    assertEquals(millis, median(results, directory, task + " p99"), millis * 1e-4);
    double expected = task.contains("200") ? 200 : 50;
    assertEquals(expected, (double) histogram.getTotalCount(), 6 * Math.sqrt(expected));
  }

  private static double median(Results results, String directory, String task) {
    return results.result(directory, task).orElseThrow(() -> new AssertionError(task)).median();
  }

  /** With one cell gone only that one is measured again. */
  private void checkResume(List<String> arguments, Path out) throws IOException {
    Path kept = out.resolve("cells").resolve("1-0.json");
    Path gone = out.resolve("cells").resolve("1-2.json");
    FileTime time = Files.getLastModifiedTime(kept);
    String wasGone = Files.readString(gone);
    Files.delete(gone);
    Results first = Results.read(out.resolve("results.json"));
    List<String> again = new ArrayList<>(arguments);
    again.add("--resume");
    run(again).assertDone();
    assertEquals(time, Files.getLastModifiedTime(kept));
    assertNotEquals(wasGone, Files.readString(gone));
    Results second = Results.read(out.resolve("results.json"));
    assertEquals(
        first.result("MMapDirectory", "latency at 200/s p99"),
        second.result("MMapDirectory", "latency at 200/s p99"));
    again.set(again.indexOf("5s"), "6s");
    run(again)
        .assertRefused(
            "cannot resume "
                + out
                + ": plan.pace.limitMillis was 5000.0 and is 6000.0; give the same options, or"
                + " leave out --resume to begin anew");
  }

  @Test
  void capacityIsSearchedAndColumnsComparedAtHalfOfIt() throws IOException {
    EndedCommand ended = run(small("--step-seconds", "0.3", "--sla", "30ms", "--quick"));
    ended.assertDone();
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    String common =
        results.tasks().stream().filter(t -> t.endsWith("p99.99")).findFirst().orElseThrow();
    double capacity = median(results, "MMapDirectory", "capacity");
    assertTrue(capacity >= 1, ended.out());
    String rate = common.replaceAll(".* at (.*)/s.*", "$1").replace(",", "");
    // Of the first server, whose capacity is that of one search, and the rate made of the better of
    // two.
    double most =
        Objects.requireNonNull(results.series()).stream()
            .flatMap(series -> series.points().stream())
            .mapToDouble(Results.At::x)
            .max()
            .orElseThrow();
    assertTrue(Double.parseDouble(rate) >= capacity / 2 * 0.99, rate + " of " + capacity);
    assertTrue(Double.parseDouble(rate) <= most / 2 * 1.01, rate + " of " + most);
    assertTrue(results.ratio("RamDirectory", "MMapDirectory", common).isPresent());
    assertTrue(results.ratio("RamDirectory", "MMapDirectory", "capacity").isPresent());
  }

  /** The client sends on while nobody answers, and what waits counts from when it was due. */
  @Test
  void serverThatStandsStillShowsInTheTail() throws IOException {
    run(small("--rates", "200", "--step-seconds", "3", "--freeze", "1")).assertDone();
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    for (String directory : results.directories()) {
      assertEquals(100, median(results, directory, "sent at 200/s"), 1);
      assertTrue(median(results, directory, "latency at 200/s p50") < 500, directory);
      assertTrue(median(results, directory, "latency at 200/s p99") > 700, directory);
      assertTrue(median(results, directory, "latency at 200/s p99.9") > 900, directory);
    }
  }

  /** Server and client apart, as on two machines. */
  @Test
  @Timeout(180)
  void clientOfAServerThatServesUntilItIsEnded() throws Exception {
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
                folder.resolve("served").toString()));
    command.addAll(small());
    // They are the client's.
    for (String option : List.of("--warmup", "--forks")) {
      int at = command.indexOf(option);
      command.subList(at, at + 2).clear();
    }
    Process server =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      BufferedReader lines = server.inputReader();
      String line = lines.readLine();
      while (line != null && !line.startsWith("Serving ")) {
        line = lines.readLine();
      }
      assertNotNull(line, "the server ended");
      String place = line.replaceFirst("Serving RamDirectory at (127.0.0.1:\\d+) .*", "$1");
      EndedCommand ended =
          run(
              "--connect",
              place,
              "--rates",
              "50,100",
              "--warmup",
              "0.3",
              "--step-seconds",
              "0.5",
              "--forks",
              "2");
      ended.assertDone();
      assertTrue(
          ended.out().contains("in 2 clients of one server, one after another"), ended.out());
      Results results = Results.read(folder.resolve("out").resolve("results.json"));
      assertEquals(List.of("RamDirectory"), results.directories());
      assertTrue(median(results, "RamDirectory", "latency at 100/s p50") > 0);
      assertTrue(server.isAlive());
    } finally {
      // Its forks end when it does.
      server.destroy();
      if (!server.waitFor(30, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    }
  }

  @Test
  void existingIndexIsSearchedWithoutUpdatesUnderAnotherCollector() throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("b.tsv"), DOCUMENTS);
    Path index = SampleText.index(lines, folder.resolve("index"));
    run("--index", index.toString(), "--updates", "1")
        .assertRefused(
            "--index names an index whose documents cannot be made anew: give --updates 0");
    EndedCommand ended =
        run(
            "--index",
            index.toString(),
            "--kinds",
            "HighTerm,PKLookup",
            "--directories",
            "HybridDirectory",
            "--gc",
            "zgc",
            "--heap",
            "256m",
            "--rates",
            "100",
            "--forks",
            "1",
            "--warmup",
            "0.3",
            "--step-seconds",
            "0.5");
    ended.assertDone();
    assertTrue(ended.out().contains("no updates"), ended.out());
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    assertEquals(3, results.directories().size());
    assertTrue(
        results.ratio("HybridDirectory", "MMapDirectory", "latency at 100/s p99").isPresent());
  }
}
