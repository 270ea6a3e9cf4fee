package io.github.lucenedirectories.benchmarks.search;

import org.jspecify.annotations.Nullable;

/**
 * What one searching fork does.
 *
 * @param index the index's path
 * @param directory the label of the directory that is timed
 * @param beside the label of one that is searched in turn with it, not timed; null for none
 * @param tasks the path of a task file, all of whose lines can run
 * @param field the text field
 * @param answers the path to write the answers to
 * @param warmupSeconds searched and dropped
 * @param seconds searched and timed
 * @param threads searching at the same time
 * @param watched whether to tell what goes on in the process meanwhile, which takes half a second
 *     more
 * @param seed orders the kinds within a repetition
 */
public record SearchSpec(
    String index,
    String directory,
    @Nullable String beside,
    String tasks,
    String field,
    String answers,
    double warmupSeconds,
    double seconds,
    int threads,
    boolean watched,
    long seed) {}
