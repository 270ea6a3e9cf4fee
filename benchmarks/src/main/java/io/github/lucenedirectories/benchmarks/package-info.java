// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of the benchmarks.
 *
 * <p>The packages, from the top down: {@code workload} and {@code advise} are what the commands do,
 * and {@code jmh} what {@code micro} does; {@code harness} runs a workload's forks; {@code corpus},
 * {@code tasks} and {@code prepare} make text, queries and indexes; {@code report} draws pages and
 * tables of {@code results}. The directories that are measured are {@code variants}.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks;

import org.jspecify.annotations.NullMarked;
