/**
 * The benchmarks' command line.
 *
 * <p>The parts, from the bottom up: {@code corpus} (text to index), {@code tasks} (query kinds),
 * {@code directories} (what is compared), {@code meter} (a directory's own time), {@code forks}
 * (JVMs of their own), {@code search} (the timed loop inside a fork), {@code prepare} (the index,
 * the text and the queries of a run), {@code stats}, {@code report}, {@code measures} (figures of
 * several units), and the workloads {@code compare}, {@code index} and {@code nrt}, which join
 * them.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks;

import org.jspecify.annotations.NullMarked;
