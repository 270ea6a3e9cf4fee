package io.github.lucenedirectories.benchmarks.load;

/**
 * Requests at one rate for a time.
 *
 * @param perSecond the mean rate
 * @param settleSeconds at the beginning, in which requests are sent and not counted
 * @param seconds after that, whose requests count
 * @param queries how many the server has
 * @param patienceSeconds after the end to wait for answers that are late
 * @param seed of moments and queries
 */
public record Step(
    double perSecond,
    double settleSeconds,
    double seconds,
    int queries,
    double patienceSeconds,
    long seed) {}
