package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.directories.Entry;
import java.util.List;

/**
 * How a comparison measures.
 *
 * @param columns the baseline first
 * @param forks of each column
 * @param warmupSeconds in each fork
 * @param seconds measured in each fork
 * @param threads searching in each fork
 * @param watched whether to tell what goes on beside the searches
 * @param field the text field
 * @param seed of the order of the forks, of the order of kinds, and of the resampling
 */
record ComparePlan(
    List<Entry> columns,
    int forks,
    double warmupSeconds,
    double seconds,
    int threads,
    boolean watched,
    String field,
    long seed) {}
