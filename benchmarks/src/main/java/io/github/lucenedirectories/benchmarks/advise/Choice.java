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
    /** It surely loses less than a tenth, and follows the memory where that becomes scarce. */
    SAFE,
    /** Nothing that is a choice is surely faster, and there is memory to spare. */
    KEEP,
    /**
     * Nothing that is a choice is surely faster, and what follows the memory is, or may be, worse.
     */
    KEEP_THOUGH_SCARCE
  }
}
