package io.github.lucenedirectories.benchmarks.commit;

import java.util.List;

/**
 * How the commit workload measures.
 *
 * @param columns the baseline first
 * @param documentsPerCommit the sizes of commits
 * @param forks of each column
 * @param warmupSeconds dropped in each fork
 * @param seconds measured in each fork
 * @param seed of the order of the forks and of the resampling
 */
record CommitPlan(
    List<CommitColumn> columns,
    List<Integer> documentsPerCommit,
    int forks,
    double warmupSeconds,
    double seconds,
    long seed) {}
