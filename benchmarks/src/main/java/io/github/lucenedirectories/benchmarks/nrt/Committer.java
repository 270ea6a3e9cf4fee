package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.live.Crew;
import io.github.lucenedirectories.benchmarks.live.Window;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.IndexWriter;

/** Commits at an interval. */
final class Committer implements Crew.Work {
  private static final double NANOS = 1e9;

  private final IndexWriter writer;
  private final Window window;
  private final long intervalNanos;
  private final Histogram latency = new Histogram(EncodedHistogram.DIGITS);

  Committer(IndexWriter writer, Window window, double intervalSeconds) {
    this.writer = writer;
    this.window = window;
    this.intervalNanos = (long) (intervalSeconds * NANOS);
  }

  @Override
  public void run() throws IOException {
    long due = window.now() + intervalNanos;
    while (!window.isOver()) {
      long wait = due - window.now();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
        continue;
      }
      long start = window.now();
      writer.commit();
      if (window.holds(start)) {
        latency.recordValue(window.now() - start);
      }
      due += intervalNanos;
    }
  }

  /** Nanoseconds of each commit. */
  Histogram latency() {
    return latency;
  }
}
