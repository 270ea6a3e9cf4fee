package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOSupplier;

/**
 * Adds up the time of calls to a directory, by calling thread and {@link Operation}. Any thread may
 * use it. Each adds to counters of its own, so that none waits for another.
 */
@SuppressWarnings("EnumOrdinal") // indexes an array of the same enum
public final class DirectoryTimer {
  private static final Operation[] OPERATIONS = Operation.values();

  private final LongSupplier clock;
  private final Queue<AtomicLongArray> threads = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("ThreadLocalUsage") // each timer has counters of its own
  private final ThreadLocal<AtomicLongArray> mine =
      ThreadLocal.withInitial(
          () -> {
            AtomicLongArray nanos = new AtomicLongArray(OPERATIONS.length);
            threads.add(nanos);
            return nanos;
          });

  public DirectoryTimer() {
    this(System::nanoTime);
  }

  DirectoryTimer(LongSupplier clock) {
    this.clock = clock;
  }

  /** What a directory is asked to do. */
  public enum Operation {
    /** {@code createOutput}, {@code createTempOutput}. */
    CREATE,
    /** Blocks of bytes that reach an output. */
    WRITE,
    /** {@code close} of an output. */
    FINISH,
    /** {@code openInput}. */
    OPEN,
    /** {@code prefetch} of an input that {@code openInput} returned. */
    PREFETCH,
    /** {@code close} of such an input. */
    CLOSE,
    /** {@code deleteFile}. */
    DELETE,
    /** {@code rename}. */
    RENAME,
    /** {@code listAll}, {@code fileLength}, {@code getPendingDeletions}. */
    LOOK,
    /** {@code sync}, {@code syncMetaData}: mostly the disk's time. */
    SYNC;

    /** The name in reports. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Time that calls to a directory took. */
  public record OwnTime(Map<Operation, Long> nanos) {
    /** No time. */
    public static final OwnTime NONE = new OwnTime(Map.of());

    public OwnTime {
      nanos = Map.copyOf(nanos);
    }

    /** The time of one operation. */
    public long of(Operation operation) {
      return nanos.getOrDefault(operation, 0L);
    }

    /** The time of all operations. */
    public long withSync() {
      return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The time of all operations but sync. */
    public long withoutSync() {
      return withSync() - of(Operation.SYNC);
    }

    /** What was added since an earlier state. */
    public OwnTime since(OwnTime earlier) {
      return OwnTime.of(o -> of(o) - earlier.of(o));
    }

    /** The sum of two times. */
    public OwnTime plus(OwnTime other) {
      return OwnTime.of(o -> of(o) + other.of(o));
    }

    private static OwnTime of(ToLongFunction<Operation> nanos) {
      Map<Operation, Long> all = new EnumMap<>(Operation.class);
      for (Operation operation : OPERATIONS) {
        all.put(operation, nanos.applyAsLong(operation));
      }
      return new OwnTime(all);
    }
  }

  /** Makes a call and adds its time, even if it throws. */
  <T> T get(Operation operation, IOSupplier<T> call) throws IOException {
    long start = clock.getAsLong();
    try {
      return call.get();
    } finally {
      AtomicLongArray nanos = mine.get();
      int at = operation.ordinal();
      // One thread writes: there is no need to add atomically.
      nanos.setRelease(at, nanos.getPlain(at) + clock.getAsLong() - start);
    }
  }

  /** As {@link #get}. */
  void run(Operation operation, IORunnable call) throws IOException {
    get(
        operation,
        () -> {
          call.run();
          return "";
        });
  }

  /** The time of the calling thread's calls so far. */
  public OwnTime ofThisThread() {
    return sum(mine.get());
  }

  /** The time of all threads' calls so far, including threads that have ended. */
  public OwnTime ofAllThreads() {
    return threads.stream().map(DirectoryTimer::sum).reduce(OwnTime.NONE, OwnTime::plus);
  }

  private static OwnTime sum(AtomicLongArray thread) {
    return OwnTime.of(operation -> thread.get(operation.ordinal()));
  }
}
