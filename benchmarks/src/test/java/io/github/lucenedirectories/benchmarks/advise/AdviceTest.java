package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.advise.Choice.Rule;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.report.Advice.Unknown;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What is said besides the directory's name. */
class AdviceTest {
  private static final Interval NOISE = new Interval(0.98, 1.02);
  private static final QueryHits GOOD = new QueryHits(100, 3);

  private static List<String> cautions(
      int forks, Interval noise, QueryHits hits, Fit fit, long readAheadKiB) {
    return Cautions.of(forks, noise, hits, fit, readAheadKiB);
  }

  @Test
  void cautions() {
    assertEquals(List.of(), cautions(6, NOISE, GOOD, Fit.ROOMY, 8192));
    assertEquals(List.of(), Cautions.of(6, NOISE, GOOD, Fit.TOO_LARGE, null));
    begins("The time was enough for 5", cautions(5, NOISE, GOOD, Fit.ROOMY, 128));
    begins(
        "MMapDirectory differs from itself (1.01 to 1.02)",
        cautions(6, new Interval(1.01, 1.02), GOOD, Fit.ROOMY, 128));
    begins(
        "The interval of MMapDirectory against itself is wide (0.88 to 1.12)",
        cautions(6, new Interval(0.88, 1.12), GOOD, Fit.ROOMY, 128));
    begins(
        "50 of 100 queries find nothing",
        cautions(6, NOISE, new QueryHits(100, 50), Fit.ROOMY, 128));
    assertEquals(List.of(), cautions(6, NOISE, new QueryHits(100, 49), Fit.ROOMY, 128));
    begins("The device reads ahead 256 KiB", cautions(6, NOISE, GOOD, Fit.TOO_LARGE, 256));
    assertEquals(List.of(), cautions(6, NOISE, GOOD, Fit.TOO_LARGE, 128));
  }

  private static void begins(String start, List<String> cautions) {
    assertEquals(1, cautions.size(), cautions::toString);
    assertTrue(cautions.get(0).startsWith(start), cautions::toString);
  }

  private static List<Unknown> unknown(
      BenchmarkDirectory chosen, int segments, boolean givenQueries, boolean limited) {
    Contents contents =
        new Contents(9, 0, segments, "10.5.1", Map.of("vectors", 1L << 30), 0, List.of());
    return new Unknowns("/my index", "text", contents, givenQueries, limited).of(chosen);
  }

  private static boolean hasCommand(List<Unknown> unknown, String command) {
    return unknown.stream().anyMatch(u -> Objects.equals(command, u.command()));
  }

  @Test
  void whatIsUnknownDependsOnWhatWasMeasured() {
    List<Unknown> most = unknown(BenchmarkDirectory.BLOCK_CACHE, 2, false, false);
    String on = " --index '/my index' --field text";
    for (String command :
        List.of(
            "./run advise '/my index' --queries FILE",
            "./run advise '/my index' --limit 512m",
            "./run memory-limit" + on + " --merge",
            "./run cache-trace" + on,
            "./run load" + on,
            "./run commit")) {
      assertTrue(hasCommand(most, command), command);
    }
    assertTrue(most.stream().anyMatch(u -> u.what().endsWith("do not reach: vectors")));
    List<Unknown> least = unknown(BenchmarkDirectory.HYBRID, 1, true, true);
    assertEquals(most.size() - 5, least.size());
    assertFalse(hasCommand(least, "./run memory-limit" + on + " --merge"));
  }

  @Test
  void reasonsHaveTheNumbers() {
    Comparison rate = new Comparison(1.5, new Interval(1.4, 1.6), NOISE);
    Comparison high = new Comparison(0.8, new Interval(0.7, 0.9), NOISE);
    Candidate hybrid =
        new Candidate(BenchmarkDirectory.HYBRID, rate, high, Map.of(), 10, OptionalDouble.empty());
    List<String> why =
        new Reasons(
                new Choice(BenchmarkDirectory.HYBRID, Rule.FASTEST),
                List.of(hybrid),
                NOISE,
                2L << 30,
                1L << 30)
            .sentences();
    assertEquals(
        List.of(
            "HybridDirectory, with 1.50 times its queries per second (1.40 to 1.60), is faster than"
                + " MMapDirectory beyond the noise (MMapDirectory against itself: 0.98 to 1.02)."
                + " Its p99 is 0.80 of MMapDirectory's (0.70 to 0.90), both in the mean over"
                + " kinds.",
            "The index has 2.0 GiB, and the page cache can hold 1.0 GiB."),
        why);
  }

  @Test
  void codeHasSizesOfTheMeasurement() {
    assertTrue(
        Snippet.of(BenchmarkDirectory.BLOCK_CACHE, 10L << 30, 1L << 30)
            .code()
            .contains("capacityBytes(409L << 20)"));
    assertTrue(
        Snippet.of(BenchmarkDirectory.RAM, 4L << 30, 16L << 30)
            .code()
            .contains("limitBytes(5121L << 20)"));
    assertEquals("-Xmx300m", Snippet.jvmFlags(300).getLast());
  }
}
