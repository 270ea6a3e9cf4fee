package io.github.lucenedirectories.benchmarks.watch;

import io.github.lucenedirectories.benchmarks.watch.PauseRecorder.Kind;
import io.github.lucenedirectories.benchmarks.watch.PauseRecorder.Pause;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Watches this process from its making until {@link #finish}: {@link #mark} takes what the system
 * counts at a moment, and in the end every two neighbouring marks bound a {@link Span}. Any thread
 * may mark.
 */
public final class Watch implements AutoCloseable {
  private static final double NANOS = 1e9;
  private static final int COLLECTIONS = 3;

  private final PauseRecorder pauses = new PauseRecorder();
  private final List<Mark> marks = new ArrayList<>();

  private record Mark(Instant time, ProcessCounters counters, Footprint footprint) {}

  /** Ends one span and begins the next; takes about a millisecond. */
  public synchronized void mark() {
    marks.add(new Mark(Instant.now(), ProcessCounters.now(), Footprint.now()));
  }

  /** The spans between the marks, in order. Once, when the workload is over. */
  public synchronized List<Span> finish() throws IOException {
    List<Pause> all = pauses.finish();
    List<Span> spans = new ArrayList<>();
    for (int i = 1; i < marks.size(); i++) {
      spans.add(span(marks.get(i - 1), marks.get(i), all));
    }
    return spans;
  }

  /**
   * As {@link #finish}, for a workload that marks the beginning and the end of each part that is
   * measured: these parts together.
   */
  public Span finishParts() throws IOException {
    List<Span> spans = finish();
    Span sum = spans.get(0);
    for (int i = 2; i < spans.size(); i += 2) {
      sum = sum.plus(spans.get(i));
    }
    return sum;
  }

  private static Span span(Mark from, Mark until, List<Pause> all) {
    return new Span(
        Duration.between(from.time(), until.time()).toNanos() / NANOS,
        of(Kind.COLLECTION, from, until, all),
        of(Kind.SAFEPOINT, from, until, all),
        of(Kind.HANDSHAKE, from, until, all),
        until.counters().since(from.counters()),
        until.footprint());
  }

  private static Pauses of(Kind kind, Mark from, Mark until, List<Pause> all) {
    Pauses pauses = Pauses.NONE;
    for (Pause pause : all) {
      boolean inside = !pause.start().isBefore(from.time()) && pause.start().isBefore(until.time());
      if (pause.kind() == kind && inside) {
        pauses = pauses.plus(pause.nanos());
      }
    }
    return pauses;
  }

  /** The bytes on the Java heap that a few full collections leave. */
  public static long heapAfterCollection() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      ManagementFactory.getMemoryMXBean().gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  @Override
  public void close() {
    pauses.close();
  }
}
