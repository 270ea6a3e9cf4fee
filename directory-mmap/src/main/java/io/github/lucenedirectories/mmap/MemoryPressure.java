package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.Dropped;
import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import io.github.lucenedirectories.internal.store.FileKind;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.logging.Logger;

/**
 * Compares the files that this process has open for reading with the memory that the page cache has
 * for them.
 *
 * <p>All hybrid directories of a process share one, since they share the memory. All methods may be
 * called from any thread.
 */
final class MemoryPressure {

  enum Level {
    /** All files fit. */
    PLENTY,
    /**
     * Not all fit. Files that a query reads in a few places, such as stored fields, give way to the
     * other files, parts of which queries read repeatedly.
     */
    SCARCE,
    /**
     * The page cache is thrashing. All files but vectors give way; one search reads thousands of
     * vectors.
     */
    THRASHING,
    /** The other files are so large that hardly any page is read twice before eviction. */
    STARVED
  }

  private static final Logger LOG = Logger.getLogger(MemoryPressure.class.getName());

  /** Files fit if they take at most this share of the memory. */
  private static final double FITS = 0.9;

  /** The hot set is at least about a third of the bytes that are not stored fields. */
  private static final double TOO_MUCH = 3;

  /** How old the memory figure may be. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(MemoryWatch.PERIOD_MILLIS);

  private final LongSupplier memoryBytes;
  private final ThrashingDetector detector =
      new ThrashingDetector(ProcessIoCounters::now, System::nanoTime);

  private final Set<Advisor> advisors = Collections.newSetFromMap(new WeakHashMap<>());

  /**
   * The open files. The readers of a file share its pages, and it counts as the first of them said,
   * even if another has another kind or length. Guarded by this.
   */
  private final Map<Path, OpenFile> open = new HashMap<>();

  private volatile State state;
  private volatile long lookedNanos;

  /**
   * Starts without open files.
   *
   * @param memoryBytes how many bytes the page cache can currently hold
   */
  MemoryPressure(LongSupplier memoryBytes) {
    this.memoryBytes = memoryBytes;
    lookedNanos = System.nanoTime();
    state = new State(0, 0, memoryBytes.getAsLong(), 0);
  }

  /** Notifies the advisor when the level changes, as long as it is reachable. */
  synchronized void add(Advisor advisor) {
    advisors.add(advisor);
    advisor.change(state.random());
  }

  /**
   * Counts a file as open for reading until the result is cleaned or {@code reader} is no longer
   * reachable.
   */
  Cleaner.Cleanable add(Object reader, Path file, FileKind kind, long bytes) {
    count(file, 1, kind, bytes);
    AtomicBoolean counted = new AtomicBoolean(true);
    return Dropped.watch(
        reader,
        file.toString(),
        () -> {
          if (counted.compareAndSet(true, false)) {
            count(file, -1, kind, bytes);
          }
          return false;
        });
  }

  private static final class OpenFile {
    private final boolean cold;
    private final long bytes;
    private int readers;

    OpenFile(boolean cold, long bytes) {
      this.cold = cold;
      this.bytes = bytes;
    }
  }

  private synchronized void count(Path file, int change, FileKind kind, long bytes) {
    OpenFile one = open.computeIfAbsent(file, _ -> new OpenFile(kind.isCold(), bytes));
    int before = one.readers;
    one.readers += change;
    if (one.readers == 0) {
      open.remove(file);
    }
    if (before == 0 || one.readers == 0) {
      State now = state;
      long added = change * one.bytes;
      boolean cold = one.cold;
      set(
          new State(
              now.coldBytes + (cold ? added : 0),
              now.otherBytes + (cold ? 0 : added),
              now.memoryBytes,
              now.thrashing));
    }
    if (open.isEmpty()) {
      MemoryWatch.remove(this);
    } else {
      MemoryWatch.add(this);
    }
  }

  /** The current state; checks the memory if the last check is old. Takes no lock otherwise. */
  State state() {
    if (System.nanoTime() - lookedNanos > LOOK_NANOS) {
      look();
    }
    return state;
  }

  /** Checks the memory, and the reads from devices. */
  void look() {
    long memory = memoryBytes.getAsLong();
    int thrashing = detector.look(memory);
    synchronized (this) {
      lookedNanos = System.nanoTime();
      set(new State(state.coldBytes, state.otherBytes, memory, thrashing));
    }
  }

  private void set(State now) {
    State before = state;
    state = now;
    if (now.level() != before.level()) {
      LOG.fine(() -> "memory=" + now.level() + " (" + now + ")");
      advisors.forEach(advisor -> advisor.change(now.random()));
    }
  }

  /**
   * The pressure at one moment.
   *
   * @param coldBytes length of the open files with stored fields, term vectors, and raw vectors
   *     beside quantized ones
   * @param otherBytes length of all other open files
   * @param thrashing how many steps to take against a thrashing page cache: 0, 1 or 2
   */
  record State(long coldBytes, long otherBytes, long memoryBytes, int thrashing) {

    Level level() {
      double room = FITS * memoryBytes;
      if (coldBytes + otherBytes <= room) {
        return Level.PLENTY;
      }
      if (otherBytes > TOO_MUCH * room || thrashing == ThrashingDetector.MOST_STEPS) {
        return Level.STARVED;
      }
      return thrashing == 0 ? Level.SCARCE : Level.THRASHING;
    }

    /** Unless all files fit, loading the pages around a missing one evicts others. */
    Advisor.Random random() {
      return level() == Level.PLENTY ? Advisor.Random.NONE : Advisor.Random.COLD;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "open files of %,d MiB, %,d MiB of it rarely read; page cache of %,d MiB at most%s",
          (coldBytes + otherBytes) >> 20,
          coldBytes >> 20,
          memoryBytes >> 20,
          level().compareTo(Level.SCARCE) > 0 && thrashing > 0 ? ", thrashing" : "");
    }
  }
}
