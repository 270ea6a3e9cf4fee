package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import io.github.lucenedirectories.internal.store.IoRecorder.Figure;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a search reads.
 *
 * <pre>{@code
 * try (IoScope scope = IoScope.begin()) {
 *   TopDocs hits = searcher.search(query, 10);
 *   IoStatistics read = scope.statistics();
 * }
 * }</pre>
 *
 * <p>A scope counts what the thread does that began it, and what tasks do that this thread submits
 * to an executor made by {@link #executor}. A scope within another one counts for both. Until the
 * first scope of a process begins, its inputs count nothing. {@link #begin}, {@link #statistics}
 * and {@link #close} make one system call each.
 *
 * <p>Figures by kind are of directories of this library. Figures of devices are of the threads, so
 * they include what other code reads there; there are none of virtual threads.
 */
public final class IoScope implements AutoCloseable {

  private static final ThreadLocal<@Nullable IoScope> CURRENT = new ThreadLocal<>();

  /** The length of a block in the system's count of reads. */
  private static final int BLOCK_BYTES = 512;

  /** For a task that ends. */
  private static final long MOST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private static final long[] NOTHING = {0, 0};

  /** Tasks that are running for this scope. */
  private final AtomicInteger running = new AtomicInteger();

  private final @Nullable IoScope outer = CURRENT.get();
  private final Part part = new Part();
  private final Counts ended = new Counts();
  private final Thread thread = Thread.currentThread();

  private volatile boolean closed;

  private IoScope() {
    CURRENT.set(this);
  }

  /** Begins to count what this thread reads, until {@link #close}. */
  public static IoScope begin() {
    IoRecorder.turnOn();
    return new IoScope();
  }

  /**
   * An executor for an {@code IndexSearcher}: its tasks count for the scope in which they were
   * submitted.
   */
  public static Executor executor(Executor delegate) {
    return task -> {
      IoScope scope = CURRENT.get();
      delegate.execute(scope == null ? task : () -> scope.run(task));
    };
  }

  private void run(Runnable task) {
    IoScope interrupted = CURRENT.get();
    CURRENT.set(this);
    countRunning(1);
    Part own = new Part();
    try {
      task.run();
    } finally {
      // Also for the scopes around this one; what is counted on this thread anyway gets it below.
      for (IoScope scope = this; scope != null; scope = scope.outer) {
        if (!isWithin(interrupted, scope)) {
          scope.add(own);
        }
      }
      own.end();
      restore(interrupted);
      countRunning(-1);
    }
  }

  private void countRunning(int change) {
    for (IoScope each = this; each != null; each = each.outer) {
      each.running.addAndGet(change);
    }
  }

  private static boolean isWithin(@Nullable IoScope inner, IoScope scope) {
    IoScope around = inner;
    while (around != null && around != scope) {
      around = around.outer;
    }
    return around != null;
  }

  private void add(Part part) {
    long @Nullable [] device = part.device();
    synchronized (ended) {
      ended.add(part.counters, device);
    }
  }

  private static void restore(@Nullable IoScope scope) {
    if (scope == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(scope);
    }
  }

  /**
   * What was read until now, or until the scope was closed. Tasks of other threads count when they
   * have ended; this waits for running ones, up to 10 milliseconds.
   *
   * @throws IllegalStateException if the scope is open and this is not the thread that began it
   */
  public IoStatistics statistics() {
    Counts sum = new Counts();
    if (!closed) {
      checkThread();
      sum.add(part.counters, part.device());
      // The system's figures include scopes within this one that are open, ours do not.
      for (IoScope inner = CURRENT.get(); inner != null && inner != this; inner = inner.outer) {
        sum.add(inner.part.counters, NOTHING);
      }
    }
    // A task completes its future before the executor adds its counts.
    for (long begun = System.nanoTime();
        running.get() > 0 && System.nanoTime() - begun < MOST_WAIT_NANOS; ) {
      LockSupport.parkNanos(WAIT_NANOS);
    }
    synchronized (ended) {
      sum.add(ended.counters, ended.device);
    }
    return sum.statistics();
  }

  /**
   * Ends the scope; closing it again does nothing.
   *
   * @throws IllegalStateException if this is not the thread that began it, or if a scope within it
   *     is open
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    checkThread();
    if (CURRENT.get() != this) {
      throw new IllegalStateException("a scope within this one is open: close that first");
    }
    add(part);
    closed = true;
    part.end();
    restore(outer);
  }

  private void checkThread() {
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException("this scope belongs to " + thread);
    }
  }

  /** What one thread reads for a scope. */
  private static final class Part {
    private final long[] counters = new long[IoRecorder.COUNTERS];
    private final long @Nullable [] before = IoRecorder.exchange(counters);
    private final long @Nullable [] deviceBefore = threadReads();

    private static long @Nullable [] threadReads() {
      if (Thread.currentThread().isVirtual()) {
        // The system knows the thread that carries it alone.
        return null;
      }
      Optional<NativeCalls> calls = NativeCalls.get();
      return calls.isPresent() ? calls.get().threadReads() : null;
    }

    /** Page faults and blocks since the beginning; null if they are not known. */
    long @Nullable [] device() {
      long @Nullable [] now = threadReads();
      return now == null || deviceBefore == null
          ? null
          : new long[] {now[0] - deviceBefore[0], now[1] - deviceBefore[1]};
    }

    /** Counts for what this thread counted for before, again. */
    void end() {
      IoRecorder.exchange(before);
      if (before != null) {
        for (int i = 0; i < counters.length; i++) {
          before[i] += counters[i];
        }
      }
    }
  }

  private static final class Counts {
    private final long[] counters = new long[IoRecorder.COUNTERS];
    private long @Nullable [] device = {0, 0};

    void add(long[] more, long @Nullable [] deviceMore) {
      for (int i = 0; i < counters.length; i++) {
        counters[i] += more[i];
      }
      if (device != null) {
        device =
            deviceMore == null
                ? null
                : new long[] {device[0] + deviceMore[0], device[1] + deviceMore[1]};
      }
    }

    IoStatistics statistics() {
      TreeMap<String, IoStatistics.Kind> kinds = new TreeMap<>();
      IoStatistics.Kind none = new IoStatistics.Kind(0, 0, 0, 0, 0, 0);
      for (FileKind kind : FileKind.values()) {
        IoStatistics.Kind read =
            new IoStatistics.Kind(
                of(kind, Figure.READS),
                of(kind, Figure.READ_BYTES),
                of(kind, Figure.READ_NANOS),
                of(kind, Figure.HITS),
                of(kind, Figure.PREFETCHES),
                of(kind, Figure.PREFETCHED_BYTES));
        if (!read.equals(none)) {
          kinds.put(kind.name().toLowerCase(Locale.ROOT), read);
        }
      }
      return device == null
          ? new IoStatistics(-1, -1, kinds)
          : new IoStatistics(device[1] * BLOCK_BYTES, device[0], kinds);
    }

    private long of(FileKind kind, Figure figure) {
      return counters[IoRecorder.index(kind, figure)];
    }
  }
}
