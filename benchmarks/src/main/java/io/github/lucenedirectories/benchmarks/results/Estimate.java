package io.github.lucenedirectories.benchmarks.results;

import org.jspecify.annotations.Nullable;

/**
 * A value and how well it is known.
 *
 * @param interval95 holds the true value with 95 % probability; null if there was one round only
 * @param corrected so wide that all kinds' intervals hold together with 95 % probability
 *     (Bonferroni); null if there were too few rounds to say
 */
public record Estimate(double value, @Nullable Interval interval95, @Nullable Interval corrected) {}
