/**
 * What goes on in a process beside the workload that is timed: pauses of the collector and other
 * safepoints by the JVM's flight recorder, page faults, device bytes and memory by {@code /proc}.
 * It belongs to no workload; what a system does not tell is unknown, not nothing.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.watch;

import org.jspecify.annotations.NullMarked;
