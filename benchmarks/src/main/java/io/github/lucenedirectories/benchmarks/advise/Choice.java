// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.variants.Variants;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A directory that can be recommended, from what asks least of its user to what asks most.
 *
 * @see #of
 */
enum Choice {
  MMAP(Variants.BASELINE, "new MMapDirectory(path)", "lucene-core"),
  HYBRID("HybridDirectory", "new HybridDirectory(path)", "directory-mmap"),
  MAPPED("MappedDirectory", "new MappedDirectory(path)", "directory-mmap"),
  NIO("NioDirectory", "new NioDirectory(path)", "directory-core"),
  RAM("RamDirectory", "RamDirectory.load(new MappedDirectory(path))", "directory-ram");

  /* A smaller gain is not worth a change. */
  private static final double WORTH = 1.03;

  final String directory;
  final String code;
  final String artifact;

  Choice(String directory, String code, String artifact) {
    this.directory = directory;
    this.code = code;
    this.artifact = artifact;
  }

  /**
   * The first directory that is not surely slower than the fastest, of those that are faster than
   * the baseline. If none is: HybridDirectory, which follows the memory, where the index would not
   * fit in memory once it doubles and it is not slower; else the baseline.
   */
  static Choice of(Results results, boolean mayOutgrowMemory) {
    List<Ratio> faster =
        results.means().stream()
            .filter(r -> r.baseline().equals(MMAP.directory) && r.ratio() >= WORTH)
            .filter(r -> r.verdict().equals("faster"))
            .toList();
    if (faster.isEmpty()) {
      boolean isHybridSlower =
          results
              .mean(HYBRID.directory, MMAP.directory)
              .map(r -> r.verdict().equals("slower"))
              .orElse(true);
      return mayOutgrowMemory && !isHybridSlower ? HYBRID : MMAP;
    }
    Interval fastest =
        faster.stream().max(Comparator.comparingDouble(Ratio::ratio)).orElseThrow().interval95();
    return Arrays.stream(values())
        .filter(
            choice ->
                faster.stream()
                    .filter(r -> r.directory().equals(choice.directory))
                    .anyMatch(
                        r ->
                            fastest == null
                                || Objects.requireNonNull(r.interval95()).high() >= fastest.low()))
        .findFirst()
        .orElse(MMAP);
  }
}
