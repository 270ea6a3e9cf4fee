package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;

/** A directory, and the rule by which it is recommended. */
record Choice(BenchmarkDirectory directory, Rule rule) {

  /** Why one is recommended. */
  enum Rule {
    /** It is faster than the baseline, and the fastest. */
    FASTEST,
    /** It is faster than the baseline; another may be faster still, but that is not sure. */
    FAST_AND_SIMPLER,
    /** It is as fast as the baseline, and stays so where memory becomes scarce. */
    SAFE,
    /** Nothing is surely faster than the baseline, and there is memory to spare. */
    KEEP,
    /** Nothing is surely faster than the baseline, and what would be safe is worse here. */
    KEEP_THOUGH_SCARCE
  }
}
