/** Medians, ratios and bootstrap intervals. */
@NullMarked
package io.github.lucenedirectories.benchmarks.results;

import org.jspecify.annotations.NullMarked;
