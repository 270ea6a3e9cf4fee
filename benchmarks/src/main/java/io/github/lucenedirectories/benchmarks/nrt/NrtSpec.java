package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.directories.WritableSpec;

/**
 * What one fork does.
 *
 * @param index the path of the index that it begins with a copy of
 * @param documents of that index
 * @param text the path of a file of documents to update with
 * @param vectors whether documents have a vector
 * @param tasks the path of a task file, all of whose lines can run
 * @param seed of the updates and of the order of the queries
 */
record NrtSpec(
    WritableSpec directory,
    String index,
    int documents,
    String text,
    boolean vectors,
    String tasks,
    Load load,
    long seed) {}
