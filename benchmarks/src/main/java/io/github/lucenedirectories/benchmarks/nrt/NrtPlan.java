package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.directories.CacheSize;
import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import java.util.List;

/**
 * How the near-real-time workload measures.
 *
 * @param columns the baseline first
 * @param forks of each column
 * @param load what goes on in each fork
 * @param vectors whether documents have a vector
 * @param seed of everything random
 */
record NrtPlan(
    List<WritableColumn> columns,
    int forks,
    Load load,
    boolean vectors,
    CacheSize cache,
    long seed) {

  /** The same with another rate of updates. */
  NrtPlan updating(int perSecond) {
    return new NrtPlan(columns, forks, load.updating(perSecond), vectors, cache, seed);
  }
}
