package io.github.lucenedirectories.benchmarks.advise;

/**
 * What the fork asks that counts hits.
 *
 * @param index the index's path
 * @param tasks the path of a task file, all of whose lines can run
 * @param field the text field
 */
record HitsSpec(String index, String tasks, String field) {}
