/** Medians, ratios and bootstrap intervals. */
@NullMarked
package io.github.lucenedirectories.benchmarks.stats;

import org.jspecify.annotations.NullMarked;
