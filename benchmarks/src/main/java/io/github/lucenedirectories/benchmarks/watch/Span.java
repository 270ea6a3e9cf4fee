package io.github.lucenedirectories.benchmarks.watch;

/**
 * What went on in a process in a span of time.
 *
 * @param seconds its length
 * @param collections stops for the garbage collector
 * @param safepoints stops of all threads at once, those for the collector among them, from the
 *     request to the end
 * @param handshakes by which the JVM met all threads one by one, as it does to close a shared arena
 * @param counters what was added in it
 * @param footprint at its end
 */
public record Span(
    double seconds,
    Pauses collections,
    Pauses safepoints,
    Pauses handshakes,
    ProcessCounters counters,
    Footprint footprint) {

  /** This one and a later one together. */
  Span plus(Span later) {
    return new Span(
        seconds + later.seconds,
        collections.plus(later.collections),
        safepoints.plus(later.safepoints),
        handshakes.plus(later.handshakes),
        counters.plus(later.counters),
        later.footprint);
  }
}
