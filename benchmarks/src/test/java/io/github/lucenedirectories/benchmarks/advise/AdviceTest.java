package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.UsageException;
import io.github.lucenedirectories.benchmarks.advise.Choice.Rule;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.report.Advice.Unknown;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said besides the directory's name. */
class AdviceTest {
  private static final Interval NOISE = new Interval(0.98, 1.02);
  private static final QueryHits GOOD = new QueryHits(100, 3);

  private static final DeviceReads MANY = new DeviceReads(100, 50, 1 << 20);
  private static final FolderBytes FOLDER = new FolderBytes(0, 0, 0);

  @Test
  void cautionsOfTheRun() {
    assertEquals(List.of(), Cautions.ofRun(6, NOISE, List.of()));
    begins("The time was enough for 5", Cautions.ofRun(5, NOISE, List.of()));
    begins(
        "MMapDirectory differs from itself (1.01 to 1.02)",
        Cautions.ofRun(6, new Interval(1.01, 1.02), List.of()));
    begins(
        "The interval of MMapDirectory against itself is wide (0.88 to 1.12)",
        Cautions.ofRun(6, new Interval(0.88, 1.12), List.of()));
    begins(
        "Some JVMs ran fewer than 100 queries of Phrase, Stored, too few",
        Cautions.ofRun(6, NOISE, List.of("Phrase", "Stored")));
  }

  @Test
  void cautionsOfTheQueries() {
    assertEquals(List.of(), Cautions.ofQueries(GOOD, null));
    assertEquals(List.of(), Cautions.ofQueries(new QueryHits(100, 49), new GivenLines(100, 0)));
    begins("50 of 100 queries find nothing", Cautions.ofQueries(new QueryHits(100, 50), null));
    begins(
        "950 of your 1,000 queries (95 %) could not be run",
        Cautions.ofQueries(GOOD, new GivenLines(1000, 950)));
  }

  @Test
  void queriesThatAllFindNothingAreRefused() {
    new QueryHits(2, 1).check("body");
    assertEquals(
        "none of 2 queries finds anything in field 'body': name another --field, or write the words"
            + " as the index has them",
        assertThrows(UsageException.class, () -> new QueryHits(2, 2).check("body")).getMessage());
  }

  @Test
  void cautionsOfTheMemory() {
    assertEquals(List.of(), Cautions.ofMemory(Fit.TOO_LARGE, MANY, null));
    assertEquals(List.of(), Cautions.ofMemory(Fit.TOO_LARGE, MANY, 128L));
    begins("The device reads ahead 256 KiB", Cautions.ofMemory(Fit.TOO_LARGE, MANY, 256L));
    DeviceReads few = new DeviceReads(9000, 3, 12 << 10);
    begins(
        "The index is larger than the page cache, and yet MMapDirectory had only 3 page faults and"
            + " 12.0 KiB from the device in 9,000 queries",
        Cautions.ofMemory(Fit.TOO_LARGE, few, 128L));
    assertEquals(List.of(), Cautions.ofMemory(Fit.TIGHT, few, 8192L));
  }

  private static void begins(String start, List<String> cautions) {
    assertEquals(1, cautions.size(), cautions::toString);
    assertTrue(cautions.get(0).startsWith(start), cautions::toString);
  }

  private static List<Unknown> unknown(
      BenchmarkDirectory chosen, int segments, @Nullable GivenLines given, Fit fit) {
    Contents contents =
        new Contents(9, 0, segments, "10.5.1", Map.of("vectors", 1L << 30), FOLDER, List.of());
    return new Unknowns("/my index", "text", contents, given, fit == Fit.ROOMY)
        .of(chosen, fit, 1234);
  }

  private static boolean hasCommand(List<Unknown> unknown, String command) {
    return unknown.stream().anyMatch(u -> Objects.equals(command, u.command()));
  }

  @Test
  void whatIsUnknownDependsOnWhatWasMeasured() {
    List<Unknown> most = unknown(BenchmarkDirectory.BLOCK_CACHE, 2, null, Fit.TOO_LARGE);
    String on = " --index '/my index' --field text";
    for (String command :
        List.of(
            "./run advise '/my index' --queries FILE",
            "./run advise '/my index' --limit 512m",
            "./run memory-limit" + on + " --merge",
            "./run cache-trace" + on,
            "./run memory-limit" + on + " --queries 1000",
            "./run load" + on,
            "./run commit")) {
      assertTrue(hasCommand(most, command), command);
    }
    assertTrue(most.stream().anyMatch(u -> u.what().endsWith("do not reach: vectors")));
    List<Unknown> least = unknown(BenchmarkDirectory.HYBRID, 1, new GivenLines(20, 0), Fit.ROOMY);
    assertEquals(most.size() - 6, least.size());
    assertFalse(hasCommand(least, "./run memory-limit" + on + " --merge"));
    assertTrue(
        most.stream()
            .anyMatch(u -> u.what().startsWith("more different queries than these 1,234")));
    List<Unknown> partly = unknown(BenchmarkDirectory.RAM, 1, new GivenLines(20, 19), Fit.ROOMY);
    assertEquals(
        "the queries that were left out, 19 of your 20 queries (95 %)", partly.get(0).what());
    assertTrue(hasCommand(partly, "./run nrt --directories RamDirectory-backed"));
    assertEquals(least.size() + 2, partly.size());
  }

  private static final Comparison TWICE = new Comparison(2, new Interval(1.9, 2.1), NOISE);
  private static final Comparison SAME = new Comparison(1, new Interval(0.97, 1.03), NOISE);
  private static final Comparison HALF = new Comparison(0.5, new Interval(0.4, 0.6), NOISE);
  private static final String LAST = "The index has 2.0 GiB, and the page cache can hold 1.0 GiB.";

  private static Candidate candidate(
      BenchmarkDirectory directory,
      Comparison rate,
      @Nullable Comparison high,
      Map<String, Comparison> kinds) {
    return new Candidate(directory, rate, high, kinds, 10, OptionalDouble.empty());
  }

  private static List<String> why(
      BenchmarkDirectory directory, Rule rule, Candidate... candidates) {
    return new Reasons(new Choice(directory, rule), List.of(candidates), NOISE, 2L << 30, 1L << 30)
        .sentences();
  }

  @Test
  void reasonsHaveTheNumbers() {
    Comparison rate = new Comparison(1.5, new Interval(1.4, 1.6), NOISE);
    Comparison high = new Comparison(0.8, new Interval(0.7, 0.9), NOISE);
    String faster =
        "HybridDirectory, with 1.50 times its queries per second (1.40 to 1.60), is faster than"
            + " MMapDirectory beyond the noise (MMapDirectory against itself: 0.98 to 1.02).";
    assertEquals(
        List.of(
            faster
                + " Its p99 is 0.80 of MMapDirectory's (0.70 to 0.90), both in the mean over kinds.",
            LAST),
        why(
            BenchmarkDirectory.HYBRID,
            Rule.FASTEST,
            candidate(BenchmarkDirectory.HYBRID, rate, high, Map.of())));
    assertEquals(
        List.of(faster, LAST),
        why(
            BenchmarkDirectory.HYBRID,
            Rule.FASTEST,
            candidate(BenchmarkDirectory.HYBRID, rate, null, Map.of())));
  }

  @Test
  void whatIsFasterAndNoChoiceIsNamed() {
    String nothing =
        "No directory is faster than MMapDirectory beyond the noise (MMapDirectory against itself:"
            + " 0.98 to 1.02).";
    String take = "Take MMapDirectory, Lucene's own choice.";
    Candidate equal = candidate(BenchmarkDirectory.NIO, SAME, SAME, Map.of());
    assertEquals(List.of(nothing, take, LAST), why(BenchmarkDirectory.MMAP, Rule.KEEP, equal));
    String twice =
        "NioDirectory, with 2.00 times its queries per second (1.90 to 2.10), is faster than"
            + " MMapDirectory beyond the noise (MMapDirectory against itself: 0.98 to 1.02), but ";
    for (Rule rule : List.of(Rule.KEEP, Rule.KEEP_THOUGH_SCARCE)) {
      assertEquals(
          List.of(twice + "loses Phrase.", take, LAST),
          why(
              BenchmarkDirectory.MMAP,
              rule,
              candidate(BenchmarkDirectory.NIO, TWICE, SAME, Map.of("Phrase", HALF))));
    }
    assertEquals(
        twice + "its p99 is 2.00 of MMapDirectory's (1.90 to 2.10).",
        why(
                BenchmarkDirectory.HYBRID,
                Rule.SAFE,
                candidate(BenchmarkDirectory.NIO, TWICE, TWICE, Map.of()),
                candidate(BenchmarkDirectory.HYBRID, SAME, SAME, Map.of()))
            .get(0));
    Comparison little = new Comparison(1.02, new Interval(1.01, 1.03), new Interval(0.999, 1.001));
    String tooLittle =
        why(
                BenchmarkDirectory.MMAP,
                Rule.KEEP,
                candidate(BenchmarkDirectory.NIO, little, SAME, Map.of()))
            .get(0);
    assertTrue(tooLittle.endsWith(", but too little to be worth a change."), tooLittle);
  }

  @Test
  void whatTheRunCannotTellIsSaid() {
    Candidate unsure =
        candidate(
            BenchmarkDirectory.HYBRID,
            new Comparison(0.65, new Interval(0.4, 1.2), NOISE),
            SAME,
            Map.of());
    String roomy = why(BenchmarkDirectory.MMAP, Rule.KEEP, unsure).get(2);
    assertTrue(roomy.endsWith("whether it is slower until then the run cannot tell."), roomy);
    String scarce = why(BenchmarkDirectory.MMAP, Rule.KEEP_THOUGH_SCARCE, unsure).get(2);
    assertTrue(scarce.endsWith("is no choice here: perhaps slower, the run cannot tell."), scarce);
  }

  @Test
  void onlyWhatNeedsMoreMemoryIsSaidToAskForIt() {
    Candidate hybrid =
        candidate(
            BenchmarkDirectory.HYBRID,
            new Comparison(1.9, new Interval(1.8, 2), NOISE),
            SAME,
            Map.of());
    for (BenchmarkDirectory best : List.of(BenchmarkDirectory.NIO, BenchmarkDirectory.RAM)) {
      String beside =
          why(
                  BenchmarkDirectory.HYBRID,
                  Rule.FAST_AND_SIMPLER,
                  hybrid,
                  candidate(best, TWICE, SAME, Map.of()))
              .get(1);
      assertTrue(
          beside.endsWith(
              best == BenchmarkDirectory.RAM
                  ? "faster than that, and asks more of you and of the memory."
                  : "faster than that."),
          beside);
    }
  }

  @Test
  void whatIsInMemoryIsAShareOfTheWholeFolder() {
    Contents contents =
        new Contents(
            9, 0, 1, "10.5.1", Map.of("terms", 10L), new FolderBytes(100, 20, 80), List.of());
    Machine machine = new Machine(2, 900, null, 100, 500, 50, null, null, null, "mapped");
    Situation situation =
        new Situation(
            Path.of("index"),
            "text",
            new Inspection(contents, machine),
            GOOD,
            null,
            false,
            null,
            Fit.ROOMY,
            List.of());
    List<String> notes = situation.notes();
    assertTrue(notes.get(0).contains("Files beside the last commit: 80 B."), notes.get(0));
    assertTrue(
        notes.get(1).contains("of the index's folder 50 % was in memory before"), notes.get(1));
  }

  @Test
  void codeOpensWhatWasMeasured() {
    assertTrue(
        Snippet.of(BenchmarkDirectory.BLOCK_CACHE, 10L << 30, 1L << 30)
            .code()
            .contains("maxBytes(409L << 20)"));
    assertTrue(
        Snippet.of(BenchmarkDirectory.RAM, 4L << 30, 16L << 30)
            .code()
            .contains(
                "try (Directory files = new MappedDirectory(path))"
                    + " { directory = RamDirectory.load(files); }"));
    assertEquals("-Xmx300m", Snippet.jvmFlags(300L).getLast());
    assertEquals("jdk.incubator.vector", Snippet.jvmFlags(null).getLast());
  }
}
