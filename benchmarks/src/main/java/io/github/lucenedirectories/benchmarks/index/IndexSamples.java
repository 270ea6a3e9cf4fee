package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.meter.OwnTime;
import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.List;

/**
 * What one indexing fork measured.
 *
 * @param runs in order
 * @param beside what went on in the process in these runs
 */
record IndexSamples(List<Run> runs, Span beside) {

  /**
   * One run over the whole text.
   *
   * @param seconds from the opening of the writer until it is closed: merges and the commit
   *     included
   * @param own the directory's own time on all threads; all 0 without the meter
   * @param merges that ran
   * @param segments in the end
   * @param bytes of the index in the end
   */
  record Run(double seconds, OwnTime own, int merges, int segments, long bytes) {}
}
