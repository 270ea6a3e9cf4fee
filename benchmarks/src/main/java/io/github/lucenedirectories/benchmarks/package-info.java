/**
 * The benchmarks' command line.
 *
 * <p>The parts, from the bottom up: {@code corpus} (text to index), {@code tasks} (query kinds),
 * {@code directories} (what is compared), {@code forks} (JVMs of their own), {@code search} (the
 * timed loop inside a fork), {@code prepare} (the index and the queries of a run), {@code stats},
 * {@code report}, and {@code compare}, which joins them.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks;

import org.jspecify.annotations.NullMarked;
