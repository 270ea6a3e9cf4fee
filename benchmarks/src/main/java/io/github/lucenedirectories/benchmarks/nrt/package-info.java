/**
 * The near-real-time workload: documents updated at a fixed rate, searched while a reader is
 * reopened again and again.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.nrt;

import org.jspecify.annotations.NullMarked;
