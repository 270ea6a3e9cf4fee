package io.github.lucenedirectories.benchmarks.limit;

import org.jspecify.annotations.Nullable;

/**
 * What a fork under the limit does.
 *
 * @param index the index's path
 * @param directory the label of the directory that is timed
 * @param tasks the path of a task file, all of whose lines can run
 * @param field the text field
 * @param answers the path to write answers to
 * @param mergeFolder the path of a folder to be made for a merge during the queries; null for none
 * @param cold whether each kind begins with nothing of the index in the page cache
 * @param warmupSeconds searched and dropped
 * @param seconds searched and timed, shared by the kinds; not used where {@code cold}
 * @param threads searching at the same time
 * @param seed orders the kinds, and the queries of each
 */
record LimitSpec(
    String index,
    String directory,
    String tasks,
    String field,
    String answers,
    @Nullable String mergeFolder,
    boolean cold,
    double warmupSeconds,
    double seconds,
    int threads,
    long seed) {}
