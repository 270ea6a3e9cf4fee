package io.github.lucenedirectories.benchmarks.advise;

import static io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory.BLOCK_CACHE;
import static io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory.HYBRID;
import static io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory.MAPPED;
import static io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory.MMAP;
import static io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory.MMAP_ADVISED;
import static io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory.NIO;
import static io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory.RAM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.advise.Candidate.Verdict;
import io.github.lucenedirectories.benchmarks.advise.Choice.Rule;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each rule with figures at which it, and only it, decides. */
class DecisionTest {
  private static final Interval NOISE = new Interval(0.97, 1.04);
  private static final Comparison SAME = comparison(1.0, 0.98, 1.02);

  private static Comparison comparison(double ratio, double low, double high) {
    return new Comparison(ratio, new Interval(low, high), NOISE);
  }

  private static Candidate candidate(
      BenchmarkDirectory directory, Comparison rate, @Nullable Comparison high, Comparison phrase) {
    return new Candidate(
        directory, rate, high, Map.of("Term", SAME, "Phrase", phrase), 10, OptionalDouble.of(200));
  }

  private static Candidate rated(
      BenchmarkDirectory directory, double ratio, double low, double high) {
    return candidate(directory, comparison(ratio, low, high), SAME, SAME);
  }

  private static void decides(
      BenchmarkDirectory directory, Rule rule, Fit fit, Candidate... candidates) {
    assertEquals(new Choice(directory, rule), Decision.of(fit, List.of(candidates)));
  }

  private static final Candidate EQUAL_HYBRID = rated(HYBRID, 1.01, 0.97, 1.05);

  @Test
  void nothingIsFaster() {
    decides(MMAP, Rule.KEEP, Fit.ROOMY, EQUAL_HYBRID, rated(NIO, 0.6, 0.58, 0.62));
    decides(HYBRID, Rule.SAFE, Fit.TIGHT, EQUAL_HYBRID, rated(NIO, 0.6, 0.58, 0.62));
    decides(HYBRID, Rule.SAFE, Fit.TOO_LARGE, EQUAL_HYBRID);
    decides(MMAP, Rule.KEEP_THOUGH_SCARCE, Fit.TOO_LARGE, rated(HYBRID, 0.9, 0.86, 0.94));
    decides(MMAP, Rule.KEEP_THOUGH_SCARCE, Fit.TIGHT, rated(MAPPED, 1, 0.97, 1.03));
  }

  @Test
  void aGainCountsOnlyBeyondTheNoise() {
    decides(MMAP, Rule.KEEP, Fit.ROOMY, rated(RAM, 1.2, 0.99, 1.4));
    decides(MMAP, Rule.KEEP, Fit.ROOMY, rated(RAM, 1.2, 1.03, 1.4));
    decides(RAM, Rule.FASTEST, Fit.ROOMY, rated(RAM, 1.2, 1.05, 1.4));
    Interval steady = new Interval(0.999, 1.001);
    Comparison little = new Comparison(1.02, new Interval(1.01, 1.03), steady);
    Candidate littleFaster = candidate(RAM, little, SAME, SAME);
    decides(MMAP, Rule.KEEP, Fit.ROOMY, littleFaster);
    assertEquals(Verdict.LITTLE_FASTER, littleFaster.verdict());
    decides(HYBRID, Rule.SAFE, Fit.TIGHT, candidate(HYBRID, little, SAME, SAME));
  }

  @Test
  void whatMayBeMuchSlowerIsNotSafe() {
    Candidate unsure = rated(HYBRID, 0.65, 0.4, 1.2);
    assertEquals(Verdict.UNSURE, unsure.verdict());
    decides(MMAP, Rule.KEEP_THOUGH_SCARCE, Fit.TIGHT, unsure);
    decides(MMAP, Rule.KEEP_THOUGH_SCARCE, Fit.TOO_LARGE, rated(HYBRID, 1, 0.9, 1.1));
    decides(HYBRID, Rule.SAFE, Fit.TOO_LARGE, rated(HYBRID, 1, 0.91, 1.1));
  }

  @Test
  void whatLosesElsewhereIsNoChoice() {
    Comparison twice = comparison(2, 1.9, 2.1);
    decides(NIO, Rule.FASTEST, Fit.TOO_LARGE, candidate(NIO, twice, SAME, SAME));
    Candidate losesPhrase = candidate(NIO, twice, SAME, comparison(0.7, 0.6, 0.8));
    decides(MMAP, Rule.KEEP_THOUGH_SCARCE, Fit.TOO_LARGE, losesPhrase);
    assertEquals(List.of("Phrase"), losesPhrase.lostKinds());
    Candidate longTail = candidate(NIO, twice, comparison(1.5, 1.3, 1.7), SAME);
    decides(MMAP, Rule.KEEP_THOUGH_SCARCE, Fit.TOO_LARGE, longTail);
    assertEquals(Verdict.WORSE_TAIL, longTail.verdict());
    // Not surely, too little to matter, or unknown.
    assertEquals(Verdict.FASTER, candidate(NIO, twice, null, SAME).verdict());
    assertTrue(candidate(NIO, twice, SAME, comparison(0.8, 0.7, 0.95)).verdict().isEligible());
    assertTrue(candidate(NIO, twice, comparison(1.3, 1.05, 1.6), SAME).verdict().isEligible());
  }

  @Test
  void ofTheFasterTheSimplestThatIsNotSurelySlower() {
    Candidate ram = rated(RAM, 1.5, 1.4, 1.6);
    decides(RAM, Rule.FASTEST, Fit.ROOMY, rated(HYBRID, 1.2, 1.1, 1.3), ram);
    decides(HYBRID, Rule.FAST_AND_SIMPLER, Fit.ROOMY, rated(HYBRID, 1.4, 1.3, 1.5), ram);
    decides(HYBRID, Rule.FASTEST, Fit.ROOMY, rated(HYBRID, 1.6, 1.5, 1.7), ram);
    decides(
        MMAP_ADVISED,
        Rule.FAST_AND_SIMPLER,
        Fit.TOO_LARGE,
        rated(HYBRID, 1.0, 0.97, 1.03),
        rated(BLOCK_CACHE, 1.45, 1.35, 1.6),
        rated(MMAP_ADVISED, 1.4, 1.3, 1.5));
  }

  @Test
  void howTheIndexFits() {
    assertEquals(Fit.ROOMY, Fit.of(45, 100));
    assertEquals(Fit.TIGHT, Fit.of(46, 100));
    assertEquals(Fit.TIGHT, Fit.of(90, 100));
    assertEquals(Fit.TOO_LARGE, Fit.of(91, 100));
  }
}
