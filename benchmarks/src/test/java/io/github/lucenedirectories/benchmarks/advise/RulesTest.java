// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.advise.Candidate.Compared;
import io.github.lucenedirectories.benchmarks.advise.Candidate.Verdict;
import io.github.lucenedirectories.benchmarks.advise.Inspection.Machine;
import io.github.lucenedirectories.benchmarks.advise.Rules.DeviceReads;
import io.github.lucenedirectories.benchmarks.advise.Rules.Fit;
import io.github.lucenedirectories.benchmarks.advise.Rules.Situation;
import io.github.lucenedirectories.benchmarks.results.Advice;
import io.github.lucenedirectories.benchmarks.results.Advice.Unknown;
import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each rule with figures at which it, and only it, decides. */
class RulesTest {
  private static final Interval NOISE = new Interval(0.97, 1.04);
  private static final Compared SAME = compared(1.0, 0.98, 1.02);
  private static final Compared TWICE = compared(2, 1.9, 2.1);
  private static final DeviceReads MANY = new DeviceReads(100, 50, 1 << 20);
  private static final DeviceReads FEW = new DeviceReads(9000, 3, 12 << 10);
  private static final Candidate EQUAL_HYBRID = rated(Rules.HYBRID, 1.01, 0.97, 1.05);

  private static Compared compared(double ratio, double low, double high) {
    return new Compared(ratio, new Interval(low, high), NOISE);
  }

  private static Candidate candidate(
      String directory, Compared rate, @Nullable Compared high, Compared phrase) {
    return new Candidate(directory, rate, high, Map.of("Term", SAME, "Phrase", phrase));
  }

  private static Candidate rated(String directory, double ratio, double low, double high) {
    return candidate(directory, compared(ratio, low, high), SAME, SAME);
  }

  private static Situation situation(
      Fit fit, int segments, int without, int given, int notRun, int forks, DeviceReads reads) {
    long pageCacheBytes = 10L << 30;
    long bytes =
        switch (fit) {
          case ROOMY -> pageCacheBytes / 4;
          case TIGHT -> pageCacheBytes * 3 / 4;
          case TOO_LARGE -> 2 * pageCacheBytes;
        };
    Contents contents =
        new Contents(9, 0, segments, "10.5.1", Map.of("vectors", bytes), bytes, bytes, List.of());
    Machine machine = new Machine(2, 900, 100, pageCacheBytes, 50, 256L);
    return new Situation(
        "/my index",
        "text",
        new Inspection(contents, machine),
        1234,
        without,
        given,
        notRun,
        fit == Fit.ROOMY,
        300L,
        forks,
        forks < Rules.FORKS ? List.of("Phrase", "Stored") : List.of(),
        reads);
  }

  private static Advice advice(Fit fit, Candidate... candidates) {
    return new Rules(situation(fit, 1, 3, 0, 0, 6, MANY), List.of(candidates), NOISE).advice();
  }

  private static void decides(String directory, Fit fit, Candidate... candidates) {
    assertEquals(directory, advice(fit, candidates).directory());
  }

  private static void says(String reason, Fit fit, Candidate... candidates) {
    List<String> why = advice(fit, candidates).why();
    assertTrue(why.stream().anyMatch(sentence -> sentence.endsWith(reason)), why::toString);
  }

  @Test
  void nothingIsFaster() {
    Candidate slow = rated(Rules.NIO, 0.6, 0.58, 0.62);
    decides("MMapDirectory", Fit.ROOMY, EQUAL_HYBRID, slow);
    decides(Rules.HYBRID, Fit.TIGHT, EQUAL_HYBRID, slow);
    decides(Rules.HYBRID, Fit.TOO_LARGE, EQUAL_HYBRID);
    decides("MMapDirectory", Fit.TOO_LARGE, rated(Rules.HYBRID, 0.9, 0.86, 0.94));
    decides("MMapDirectory", Fit.TIGHT, rated(Rules.MAPPED, 1, 0.97, 1.03));
    assertEquals(
        List.of(
            "No directory is faster than MMapDirectory beyond the noise (MMapDirectory against"
                + " itself: 0.97 to 1.04).",
            "Take MMapDirectory, Lucene's own choice.",
            "HybridDirectory, with 1.01 times its queries per second (0.97 to 1.05), shows no"
                + " difference either, and follows the memory if the index outgrows it.",
            "The index has 2.5 GiB, and the page cache can hold 10.0 GiB."),
        advice(Fit.ROOMY, EQUAL_HYBRID).why());
  }

  @Test
  void aGainCountsOnlyBeyondTheNoise() {
    decides("MMapDirectory", Fit.ROOMY, rated(Rules.RAM, 1.2, 0.99, 1.4));
    decides("MMapDirectory", Fit.ROOMY, rated(Rules.RAM, 1.2, 1.03, 1.4));
    decides(Rules.RAM, Fit.ROOMY, rated(Rules.RAM, 1.2, 1.05, 1.4));
    Compared little = new Compared(1.02, new Interval(1.01, 1.03), new Interval(0.999, 1.001));
    decides("MMapDirectory", Fit.ROOMY, candidate(Rules.RAM, little, SAME, SAME));
    says(
        "but too little to be worth a change.",
        Fit.ROOMY,
        candidate(Rules.RAM, little, SAME, SAME));
    decides(Rules.HYBRID, Fit.TIGHT, candidate(Rules.HYBRID, little, SAME, SAME));
  }

  @Test
  void whatMayBeMuchSlowerIsNotSafe() {
    Candidate unsure = rated(Rules.HYBRID, 0.65, 0.4, 1.2);
    assertEquals(Verdict.UNSURE, unsure.verdict());
    decides("MMapDirectory", Fit.TIGHT, unsure);
    says("is no choice here: the run cannot tell.", Fit.TIGHT, unsure);
    says("whether it is slower until then the run cannot tell.", Fit.ROOMY, unsure);
    decides("MMapDirectory", Fit.TOO_LARGE, rated(Rules.HYBRID, 1, 0.9, 1.1));
    decides(Rules.HYBRID, Fit.TOO_LARGE, rated(Rules.HYBRID, 1, 0.91, 1.1));
  }

  @Test
  void whatLosesElsewhereIsNoChoice() {
    decides(Rules.NIO, Fit.TOO_LARGE, candidate(Rules.NIO, TWICE, SAME, SAME));
    Candidate losesPhrase = candidate(Rules.NIO, TWICE, SAME, compared(0.7, 0.6, 0.8));
    decides("MMapDirectory", Fit.TOO_LARGE, losesPhrase);
    says("but it loses Phrase.", Fit.TOO_LARGE, losesPhrase);
    Candidate longTail = candidate(Rules.NIO, TWICE, compared(1.5, 1.3, 1.7), SAME);
    decides("MMapDirectory", Fit.TOO_LARGE, longTail);
    says("but its p99 is 1.50 times MMapDirectory's (1.30 to 1.70).", Fit.TOO_LARGE, longTail);
    // Not surely, too little to matter, or unknown.
    assertEquals(Verdict.FASTER, candidate(Rules.NIO, TWICE, null, SAME).verdict());
    assertTrue(candidate(Rules.NIO, TWICE, SAME, compared(0.8, 0.7, 0.95)).verdict().isEligible());
    assertTrue(candidate(Rules.NIO, TWICE, compared(1.3, 1.05, 1.6), SAME).verdict().isEligible());
  }

  @Test
  void ofTheFasterTheSimplestThatIsNotSurelySlower() {
    Candidate ram = rated(Rules.RAM, 1.5, 1.4, 1.6);
    decides(Rules.RAM, Fit.ROOMY, rated(Rules.HYBRID, 1.2, 1.1, 1.3), ram);
    Candidate close = rated(Rules.HYBRID, 1.4, 1.3, 1.5);
    decides(Rules.HYBRID, Fit.ROOMY, close, ram);
    says(
        "not surely faster than that, and needs more of your work and of the memory.",
        Fit.ROOMY,
        close,
        ram);
    says("not surely faster than that.", Fit.ROOMY, close, rated(Rules.NIO, 1.5, 1.4, 1.6));
    decides(Rules.HYBRID, Fit.ROOMY, rated(Rules.HYBRID, 1.6, 1.5, 1.7), ram);
    says(
        "Its p99 is 1.00 times MMapDirectory's (0.98 to 1.02), both in the mean over kinds.",
        Fit.ROOMY,
        ram);
    decides(
        Rules.ADVISED,
        Fit.TOO_LARGE,
        rated(Rules.HYBRID, 1.0, 0.97, 1.03),
        rated(Rules.CACHED, 1.45, 1.35, 1.6),
        rated(Rules.ADVISED, 1.4, 1.3, 1.5));
  }

  @Test
  void howTheIndexFits() {
    assertEquals(Fit.ROOMY, Fit.of(45, 100));
    assertEquals(Fit.TIGHT, Fit.of(46, 100));
    assertEquals(Fit.TIGHT, Fit.of(90, 100));
    assertEquals(Fit.TOO_LARGE, Fit.of(91, 100));
  }

  private static void cautions(List<String> starts, Situation situation, Interval noise) {
    List<String> cautions = new Rules(situation, List.of(EQUAL_HYBRID), noise).advice().cautions();
    assertEquals(starts.size(), cautions.size(), cautions::toString);
    for (int i = 0; i < starts.size(); i++) {
      assertTrue(cautions.get(i).startsWith(starts.get(i)), cautions::toString);
    }
  }

  @Test
  void eachCautionHasItsCondition() {
    cautions(List.of(), situation(Fit.TIGHT, 1, 616, 1234, 0, 6, FEW), NOISE);
    cautions(
        List.of(
            "The time was enough for 5", "Some JVMs ran fewer than 100 queries of Phrase, Stored"),
        situation(Fit.ROOMY, 1, 0, 0, 0, 5, FEW),
        NOISE);
    cautions(
        List.of("MMapDirectory differs from itself (1.01 to 1.02)", "617 of 1234 queries find"),
        situation(Fit.ROOMY, 1, 617, 0, 0, 6, FEW),
        new Interval(1.01, 1.02));
    cautions(
        List.of(
            "The interval of MMapDirectory against itself is wide (0.88 to 1.12)",
            "950 of your 1,000 queries (95 %) could not be run",
            "The index is larger than the page cache, and yet MMapDirectory had only 3 page faults"
                + " and 12.0 KiB from the device in 9,000 queries",
            "The device reads ahead 256 KiB"),
        situation(Fit.TOO_LARGE, 1, 0, 1000, 950, 6, FEW),
        new Interval(0.88, 1.12));
    cautions(
        List.of("The device reads ahead 256 KiB"),
        situation(Fit.TOO_LARGE, 1, 0, 0, 0, 6, MANY),
        NOISE);
  }

  private static boolean hasCommand(List<Unknown> unknown, String command) {
    return unknown.stream().anyMatch(u -> Objects.equals(command, u.command()));
  }

  private static List<Unknown> unknown(Situation situation, String chosen) {
    Candidate candidate = rated(chosen, 2, 1.9, 2.1);
    return new Rules(situation, List.of(candidate), NOISE).advice().unknown();
  }

  @Test
  void whatIsUnknownDependsOnWhatWasMeasured() {
    List<Unknown> most = unknown(situation(Fit.TOO_LARGE, 2, 0, 0, 0, 6, MANY), Rules.CACHED);
    String on = " --index '/my index' --field text";
    for (String command :
        List.of(
            "./run advise '/my index' --queries FILE",
            "./run advise '/my index' --limit 10240m",
            "./run memory-limit" + on + " --merge",
            "./run memory-limit" + on + " --queries 1000",
            "./run load" + on,
            "./run commit")) {
      assertTrue(hasCommand(most, command), command);
    }
    assertTrue(most.stream().anyMatch(u -> u.what().endsWith("do not reach: vectors")));
    List<Unknown> least = unknown(situation(Fit.ROOMY, 1, 0, 20, 0, 6, MANY), Rules.HYBRID);
    assertEquals(most.size() - 6, least.size());
    List<Unknown> partly = unknown(situation(Fit.ROOMY, 1, 0, 20, 19, 6, MANY), Rules.RAM);
    assertEquals(
        "the queries that were left out, 19 of your 20 queries (95 %)", partly.get(0).what());
    assertTrue(hasCommand(partly, "./run nrt --directories RamDirectory-backed"));
    assertEquals(least.size() + 2, partly.size());
  }

  @Test
  void codeOpensWhatWasMeasured() {
    assertTrue(Rules.code(Rules.CACHED, 10L << 30, 1L << 30).contains("maxBytes(409L << 20)"));
    assertTrue(Rules.code(Rules.RAM, 4L << 30, 16L << 30).contains("RamDirectory.load(files)"));
    assertEquals(
        "Directory directory = new HybridDirectory(path);", Rules.code(Rules.HYBRID, 1, 1));
  }
}
