package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server has seen when its client finishes.
 *
 * @param spans between the client's marks, in order
 * @param heapBytes that full collections left after the load
 * @param seconds from the first mark to the end
 * @param updates in that time
 * @param lag nanoseconds from an update's moment until it was done; an encoded histogram
 * @param reopen nanoseconds of each reopen, likewise
 * @param segments of the last reader
 * @param failure of the first query that failed, or of updates or reopens; null if nothing failed
 */
record ServerSummary(
    List<Span> spans,
    long heapBytes,
    double seconds,
    long updates,
    String lag,
    String reopen,
    int segments,
    @Nullable String failure) {}
