package io.github.lucenedirectories.benchmarks.load;

import org.jspecify.annotations.Nullable;

/**
 * What one client does.
 *
 * @param host of the server
 * @param start the place in the rate grid at which a search begins
 * @param common the place of the rate that all columns have in common; null to take half of the
 *     capacity that is found
 * @param seed of moments and queries
 */
record ClientSpec(
    String host, int port, LoadPlan.Pace pace, int start, @Nullable Integer common, long seed) {}
