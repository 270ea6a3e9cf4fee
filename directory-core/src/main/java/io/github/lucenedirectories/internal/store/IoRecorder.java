// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.NativeCalls;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts reads and prefetches by kind of file, for the process or for a scope, while that is turned
 * on. All methods may be called from any thread.
 */
public final class IoRecorder {

  /** What is counted for each kind of file; the time in nanoseconds. */
  public enum Metric {
    READS,
    READ_BYTES,
    READ_SECONDS,
    READ_HITS,
    PREFETCHES,
    PREFETCH_BYTES;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '.');
  }

  private static final double SECONDS_PER_NANO = 1e-9;
  private static final int METRICS = Metric.values().length;
  private static final int COUNTERS = FileKind.values().length * METRICS;

  private static final LongAdder[] PROCESS =
      Stream.generate(LongAdder::new).limit(COUNTERS).toArray(LongAdder[]::new);

  private static final ThreadLocal<@Nullable Scope> CURRENT = new ThreadLocal<>();

  /**
   * What the system had counted for a thread when its scope changed; null if it reports nothing.
   */
  private static final ThreadLocal<long @Nullable []> BEGUN = new ThreadLocal<>();

  /** While it is false, an input does nothing but read it. */
  private static volatile boolean on;

  private IoRecorder() {}

  /** Counters of what threads do. */
  public static class Scope {
    /** By kind of file and what is counted. */
    public final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

    /** How often the threads waited for pages of mapped files. */
    public final AtomicLong majorFaults = new AtomicLong();

    /** Blocks of 512 bytes read from devices. */
    public final AtomicLong deviceBlocks = new AtomicLong();

    /** How often a thread entered or left the scope and the system reported nothing about it. */
    public final AtomicLong unobserved = new AtomicLong();

    private void addReads(long @Nullable [] begun, long @Nullable [] now) {
      if (begun == null || now == null) {
        unobserved.incrementAndGet();
      } else {
        majorFaults.addAndGet(now[0] - begun[0]);
        deviceBlocks.addAndGet(now[1] - begun[1]);
      }
    }
  }

  /** Whether reads are counted. */
  public static boolean isOn() {
    return on;
  }

  /** Counts reads from now on. */
  public static void enable() {
    on = true;
  }

  @SuppressWarnings("EnumOrdinal") // an index within one process
  private static int index(FileKind kind, Metric metric) {
    return kind.ordinal() * METRICS + metric.ordinal();
  }

  /** Adds to a metric, if it is wanted. */
  public static void add(FileKind kind, Metric metric, long amount) {
    if (on) {
      add(CURRENT.get(), index(kind, metric), amount);
    }
  }

  private static void add(@Nullable Scope scope, int index, long amount) {
    if (scope != null) {
      scope.counters.getAndAdd(index, amount);
    } else {
      PROCESS[index].add(amount);
    }
  }

  /** Counts a prefetch, if it is wanted. */
  public static void prefetch(FileKind kind, long bytes) {
    add(kind, Metric.PREFETCHES, 1);
    add(kind, Metric.PREFETCH_BYTES, bytes);
  }

  /** The scope that this thread counts for; null for none. */
  public static @Nullable Scope current() {
    return CURRENT.get();
  }

  /** From now on this thread counts for another scope, or for none; returns that until now. */
  public static @Nullable Scope exchange(@Nullable Scope next) {
    Scope before = CURRENT.get();
    // getrusage sees the carrier, not the virtual thread.
    long[] now =
        Thread.currentThread().isVirtual()
            ? null
            : NativeCalls.get().map(NativeCalls::threadReads).orElse(null);
    if (before != null) {
      before.addReads(BEGUN.get(), now);
    }
    BEGUN.set(now);
    CURRENT.set(next);
    return before;
  }

  /** Adds what an ended scope counted to the one around it, or to the process. */
  public static void end(Scope scope, @Nullable Scope around) {
    for (int i = 0; i < COUNTERS; i++) {
      if (scope.counters.get(i) != 0) {
        add(around, i, scope.counters.get(i));
      }
    }
    if (around != null) {
      around.majorFaults.addAndGet(scope.majorFaults.get());
      around.deviceBlocks.addAndGet(scope.deviceBlocks.get());
      around.unobserved.addAndGet(scope.unobserved.get());
    }
  }

  /** Reports what the process has counted, except in scopes that have not ended. */
  public static void report(MetricSource.Sink sink) {
    report(i -> PROCESS[i].sum(), sink);
  }

  /** Reports counters, the zeros too. */
  public static void report(IntToLongFunction counters, MetricSource.Sink sink) {
    for (FileKind kind : FileKind.values()) {
      for (Metric metric : Metric.values()) {
        double unit = metric == Metric.READ_SECONDS ? SECONDS_PER_NANO : 1;
        long value = counters.applyAsLong(index(kind, metric));
        sink.counter(metric.text, kind.text, value * unit);
      }
    }
  }
}
