package io.github.lucenedirectories.benchmarks.live;

import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.meter.OwnTime;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Reopens the reader at an interval. A reopen is all that its thread does for it: flush what was
 * written, open the new segments, and close the old reader if no search still holds it. One that
 * takes longer than the interval delays the next, which is not made up for.
 */
public final class Reopener implements Crew.Work {
  private static final long MILLIS = 1_000_000;

  private final Searchers searchers;
  private final Window window;
  private final Meter meter;
  private final long intervalNanos;
  private final ThreadMXBean thread = ManagementFactory.getThreadMXBean();
  private final AtomicInteger count = new AtomicInteger();
  private final Histogram whole = new Histogram(EncodedHistogram.DIGITS);
  private final Histogram processor = new Histogram(EncodedHistogram.DIGITS);
  private final Histogram own = new Histogram(EncodedHistogram.DIGITS);
  private final Map<Long, Long> slowest = new HashMap<>();
  private OwnTime allOwn = OwnTime.none();

  public Reopener(Searchers searchers, Window window, Meter meter, int intervalMillis) {
    this.searchers = searchers;
    this.window = window;
    this.meter = meter;
    this.intervalNanos = intervalMillis * MILLIS;
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
      reopen();
      due = Math.max(due + intervalNanos, window.now());
    }
  }

  private void reopen() throws IOException {
    OpenSearcher old = searchers.acquire();
    OwnTime ownBefore = meter.ofThisThread();
    long processorBefore = thread.getCurrentThreadCpuTime();
    long start = window.now();
    try {
      searchers.refresh();
    } finally {
      searchers.release(old);
    }
    long took = window.now() - start;
    long processorTook = thread.getCurrentThreadCpuTime() - processorBefore;
    OwnTime ownTook = meter.ofThisThread().since(ownBefore);
    if (window.holds(start) && isNew(old)) {
      whole.recordValue(took);
      slowest.merge(TimeUnit.NANOSECONDS.toSeconds(window.sinceOpen(start)), took, Math::max);
      processor.recordValue(processorTook);
      own.recordValue(ownTook.totalNanos());
      allOwn = allOwn.plus(ownTook);
      count.incrementAndGet();
    }
  }

  /** Whether there was anything to reopen for. */
  private boolean isNew(OpenSearcher old) throws IOException {
    OpenSearcher current = searchers.acquire();
    try {
      return current != old;
    } finally {
      searchers.release(current);
    }
  }

  /** How many have counted so far; for any thread. */
  public int count() {
    return count.get();
  }

  /** Nanoseconds of each reopen. */
  public Histogram whole() {
    return whole;
  }

  /** Nanoseconds of the slowest reopen that began in each of so many seconds; 0 where none did. */
  public List<Long> slowest(long seconds) {
    return LongStream.range(0, seconds).mapToObj(s -> slowest.getOrDefault(s, 0L)).toList();
  }

  /** Nanoseconds of processor time of each reopen. */
  public Histogram processor() {
    return processor;
  }

  /** Nanoseconds that each reopen spent inside the directory. */
  public Histogram own() {
    return own;
  }

  /** What all reopens together spent inside the directory. */
  public OwnTime allOwn() {
    return allOwn;
  }
}
