/**
 * Figures of several units that a workload takes in every fork: their meaning, their analysis, and
 * how they are shown.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.measures;

import org.jspecify.annotations.NullMarked;
