package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.meter.OwnTime;
import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.List;
import java.util.Map;

/**
 * What one fork measured.
 *
 * @param directory what the directory says of itself
 * @param seconds that were measured
 * @param latencies histograms of nanoseconds, encoded; those that recorded nothing are absent
 * @param queriesPerSecond one value for each whole second, in order
 * @param slowestReopenNanos of each whole second, in order; 0 where none began
 * @param queries in all
 * @param updates in all
 * @param reopens in all
 * @param own what the directory took of all reopens on their thread; all 0 without the meter
 * @param collectionMillis in which the collector stopped threads or ran beside them
 * @param segments of the last reader
 * @param beside what went on in the process while it was measured
 */
record NrtSamples(
    String directory,
    double seconds,
    Map<Latency, String> latencies,
    List<Integer> queriesPerSecond,
    List<Long> slowestReopenNanos,
    long queries,
    long updates,
    long reopens,
    OwnTime own,
    long collectionMillis,
    int segments,
    Span beside) {}
