/**
 * The workloads: each is one class with its options, its plan, what a fork does and its figures.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
