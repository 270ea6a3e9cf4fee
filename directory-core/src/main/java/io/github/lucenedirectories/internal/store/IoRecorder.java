package io.github.lucenedirectories.internal.store;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the reads and prefetches of inputs, for the process and for the scopes of threads, as soon
 * as somebody wants to know. All methods may be called from any thread.
 */
public final class IoRecorder {

  /** What is counted for each {@link FileKind}. */
  public enum Figure {
    /** Reads of a file by position. */
    READS,
    /** The bytes of these reads. */
    READ_BYTES,
    /** The time of these reads. */
    READ_NANOS,
    /** Reads that the process's table of recent blocks saved. */
    HITS,
    /** Ranges that were prefetched. */
    PREFETCHES,
    /** The bytes of these ranges. */
    PREFETCHED_BYTES;

    private static final int COUNT = values().length;
  }

  /** How many figures a scope counts. */
  public static final int COUNTERS = FileKind.values().length * Figure.COUNT;

  private static final LongAdder[] PROCESS =
      Stream.generate(LongAdder::new).limit(COUNTERS).toArray(LongAdder[]::new);

  private static final ThreadLocal<long @Nullable []> SCOPE = new ThreadLocal<>();

  /** While it is false, an input does nothing but read it. */
  private static volatile boolean on;

  private IoRecorder() {}

  /** Whether inputs are to report. */
  public static boolean isOn() {
    return on;
  }

  /** From now on inputs report. */
  public static void turnOn() {
    on = true;
  }

  /** Where the figure of a kind is in the counters of a scope. */
  @SuppressWarnings("EnumOrdinal") // an index within one process
  public static int index(FileKind kind, Figure figure) {
    return kind.ordinal() * Figure.COUNT + figure.ordinal();
  }

  /** Reports a read; call it only if {@link #isOn}. */
  public static void read(FileKind kind, long bytes, long nanos) {
    long @Nullable [] scope = SCOPE.get();
    add(scope, index(kind, Figure.READS), 1);
    add(scope, index(kind, Figure.READ_BYTES), bytes);
    add(scope, index(kind, Figure.READ_NANOS), nanos);
  }

  /** Reports a read that was saved, if reports are wanted. */
  public static void hit(FileKind kind) {
    if (on) {
      add(SCOPE.get(), index(kind, Figure.HITS), 1);
    }
  }

  /** Reports a prefetch, if reports are wanted. */
  public static void prefetch(FileKind kind, long bytes) {
    if (on) {
      long @Nullable [] scope = SCOPE.get();
      add(scope, index(kind, Figure.PREFETCHES), 1);
      add(scope, index(kind, Figure.PREFETCHED_BYTES), bytes);
    }
  }

  private static void add(long @Nullable [] scope, int index, long amount) {
    PROCESS[index].add(amount);
    if (scope != null) {
      scope[index] += amount;
    }
  }

  /** What the process has counted since reports were wanted. */
  public static long processTotal(FileKind kind, Figure figure) {
    return PROCESS[index(kind, figure)].sum();
  }

  /**
   * Counts what this thread does into other counters from now on.
   *
   * @param counters of a scope; null for none
   * @return those until now
   */
  public static long @Nullable [] exchange(long @Nullable [] counters) {
    long @Nullable [] before = SCOPE.get();
    if (counters == null) {
      SCOPE.remove();
    } else {
      SCOPE.set(counters);
    }
    return before;
  }
}
