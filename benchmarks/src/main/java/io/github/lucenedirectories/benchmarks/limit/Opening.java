package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;

/**
 * One opening of the directory and a reader while nothing of the index was in the page cache.
 *
 * @param seconds by the clock
 */
public record Opening(double seconds, ProcessCounters reads) {}
