// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of the benchmarks.
 *
 * <p>The packages, from the top down: {@code workload}, {@code advise}, {@code cluster}, {@code
 * jmh} and {@code pmem} are what the commands do; {@code harness} runs a workload's forks; {@code
 * corpus}, {@code tasks} and {@code prepare} make text, queries and indexes; {@code report} draws
 * pages and tables of {@code results}; {@code console} is what a user meets on the terminal.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks;

import org.jspecify.annotations.NullMarked;
