package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.directories.CacheSize;
import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import java.util.List;

/**
 * How the index workload measures.
 *
 * @param columns the baseline first
 * @param forks of each column
 * @param warmupSeconds whole runs are dropped for so long, and one at least if it is not 0
 * @param seconds whole runs are measured for so long, and one at least
 * @param threads that index
 * @param bufferMegabytes of documents that IndexWriter gathers before it writes a segment
 * @param documents indexed in each run
 * @param vectors whether documents have a vector
 * @param seed of the order of the forks and of the resampling
 */
record IndexPlan(
    List<WritableColumn> columns,
    int forks,
    double warmupSeconds,
    double seconds,
    int threads,
    double bufferMegabytes,
    int documents,
    boolean vectors,
    CacheSize cache,
    long seed) {}
