package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.advise.Candidate.Verdict;
import io.github.lucenedirectories.benchmarks.advise.Choice.Rule;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import java.util.Comparator;
import java.util.List;

/**
 * The rules by which one of the measured directories is recommended. None is that is slower than
 * the baseline, has a longer tail, or loses a kind. Of those that are faster it is the first of
 * {@link #SIMPLEST_FIRST} that is not surely slower than the fastest. Where none is faster, it is
 * the one that follows the memory if that surely loses little, unless there is memory to spare:
 * then it is the baseline.
 */
final class Decision {
  /** From what asks least of its user to what asks most: memory, a bound to find, a load. */
  static final List<BenchmarkDirectory> SIMPLEST_FIRST =
      List.of(
          BenchmarkDirectory.HYBRID,
          BenchmarkDirectory.MMAP_ADVISED,
          BenchmarkDirectory.MAPPED,
          BenchmarkDirectory.NIO,
          BenchmarkDirectory.BLOCK_CACHE,
          BenchmarkDirectory.RAM);

  private Decision() {}

  static Choice of(Fit fit, List<Candidate> candidates) {
    List<Candidate> faster =
        candidates.stream().filter(c -> c.verdict() == Verdict.FASTER).toList();
    if (!faster.isEmpty()) {
      return fastest(faster);
    }
    if (fit == Fit.ROOMY) {
      return new Choice(BenchmarkDirectory.BASELINE, Rule.KEEP);
    }
    boolean safe =
        candidates.stream()
            .anyMatch(c -> c.directory() == BenchmarkDirectory.HYBRID && c.verdict().isEligible());
    return safe
        ? new Choice(BenchmarkDirectory.HYBRID, Rule.SAFE)
        : new Choice(BenchmarkDirectory.BASELINE, Rule.KEEP_THOUGH_SCARCE);
  }

  private static Choice fastest(List<Candidate> faster) {
    Candidate best =
        faster.stream().max(Comparator.comparingDouble(c -> c.rate().ratio())).orElseThrow();
    Candidate chosen =
        faster.stream()
            .filter(c -> c.rate().interval().high() >= best.rate().interval().low())
            .min(Comparator.comparingInt(c -> SIMPLEST_FIRST.indexOf(c.directory())))
            .orElseThrow();
    return new Choice(
        chosen.directory(), chosen.equals(best) ? Rule.FASTEST : Rule.FAST_AND_SIMPLER);
  }
}
