package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.directories.Entry;
import java.util.List;

/**
 * How a comparison under a limit measures.
 *
 * @param columns the baseline first
 * @param forks of each column
 * @param cold whether each kind begins with nothing of the index in the page cache
 * @param merge whether half of the index is merged during the queries
 * @param warmupSeconds in each fork
 * @param seconds measured in each fork; not used where {@code cold}
 * @param threads searching in each fork
 * @param queries of each kind, at most, with those that only warm up
 * @param field the text field
 * @param seed of the order of the forks, of kinds and queries, and of the resampling
 */
public record LimitPlan(
    List<Entry> columns,
    int forks,
    boolean cold,
    boolean merge,
    double warmupSeconds,
    double seconds,
    int threads,
    int queries,
    String field,
    long seed) {}
