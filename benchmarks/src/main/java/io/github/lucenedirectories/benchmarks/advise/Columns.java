package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.limit.Memory;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories that are worth measuring for an index and its memory.
 *
 * @param entries the baseline first, and once more
 * @param leftOut those that are not, and why
 */
record Columns(List<Entry> entries, List<Results.Skipped> leftOut) {
  /* What a copy into fresh memory comes to on a modest machine. */
  private static final double LOADED_BYTES_A_SECOND = 300e6;

  /* Of the time, loading may take this share. */
  private static final double LOADING = 0.25;

  /* And so much in any case. */
  private static final double LOADING_SECONDS = 3;

  /* The baseline, and once more. */
  private static final int BASELINES = 2;

  /**
   * Chooses them.
   *
   * @param pageCacheBytes what the page cache can hold
   * @param seconds to measure all of them
   * @param most how many there may be; those that are always measured are three
   */
  static Columns of(Fit fit, Memory memory, long pageCacheBytes, double seconds, int most) {
    List<BenchmarkDirectory> chosen =
        new ArrayList<>(
            List.of(BenchmarkDirectory.HYBRID, BenchmarkDirectory.MAPPED, BenchmarkDirectory.NIO));
    List<Results.Skipped> leftOut = new ArrayList<>();
    if (fit == Fit.TOO_LARGE) {
      chosen.add(BenchmarkDirectory.MMAP_ADVISED);
      chosen.add(BenchmarkDirectory.BLOCK_CACHE);
    } else {
      leave(leftOut, BenchmarkDirectory.BLOCK_CACHE, "the page cache holds the whole index");
    }
    if (!memory.hasRoomFor(BenchmarkDirectory.RAM)
        || memory.indexBytes() * 5 / 4 > pageCacheBytes) {
      leave(leftOut, BenchmarkDirectory.RAM, "it holds the index in memory and that does not fit");
    } else if (loadSeconds(memory.indexBytes()) * Budget.FORKS
        > Math.max(LOADING_SECONDS, LOADING * seconds)) {
      leave(leftOut, BenchmarkDirectory.RAM, "to load the index so often takes too much of --time");
    } else {
      chosen.add(BenchmarkDirectory.RAM);
    }
    while (chosen.size() > 1 && chosen.size() + BASELINES > most) {
      leave(leftOut, chosen.removeLast(), "--time is too short for it");
    }
    return new Columns(
        Entry.columns(chosen.stream().map(BenchmarkDirectory::label).toList()),
        List.copyOf(leftOut));
  }

  private static void leave(
      List<Results.Skipped> leftOut, BenchmarkDirectory directory, String reason) {
    leftOut.add(new Results.Skipped(directory.label(), 0, reason));
  }

  /** What they take in a round to copy an index into memory. */
  double loadSecondsARound(long indexBytes) {
    return entries.stream().mapToDouble(c -> c.directory().shareInMemory()).sum()
        * loadSeconds(indexBytes);
  }

  private static double loadSeconds(long bytes) {
    return bytes / LOADED_BYTES_A_SECOND;
  }
}
