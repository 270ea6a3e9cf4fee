// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.Events;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.store.FileKind;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Logger;

/**
 * Compares the files that this process has mapped with the memory that the page cache has for them.
 * For some files the kernel is advised that reads are random: it then loads the pages that are read
 * and none around them. The advice is renewed when the level changes.
 *
 * <p>The kernel is never advised of sequential reads: it detects them itself, Lucene announces them
 * even for files that it reads at random, and a search that shares the mapping would load megabytes
 * for each page.
 *
 * <p>All hybrid directories of a process share one, since they share the memory. All methods may be
 * called from any thread.
 */
final class MemoryPressure {

  enum Level {
    /** All files fit. */
    PLENTY,
    /** Not all fit, but a quarter does, and the page cache is not full: nothing is evicted. */
    FILLING,
    /** Not all fit, but vectors do, and so do all other files that are not cold. */
    COLD_SCARCE,
    /** Files that are neither cold nor vectors do not fit, but vectors do. */
    SCARCE,
    /** The vectors that searches read do not fit. */
    VECTORS_SCARCE,
    /** The memory is not watched. */
    UNKNOWN;

    /**
     * Whether reads of such files load only their own pages, since those around evict others. Not
     * of the rest: terms, norms and points are small, and doc values are read in runs. Not of
     * postings that fit: what other reads evicted would return page by page. Not of vectors that
     * fit: Linux would evict them like pages that are read once, and what SIMD code reads cannot be
     * shown.
     */
    boolean isRandom(FileKind kind) {
      return switch (this) {
        case PLENTY, FILLING -> false;
        case COLD_SCARCE, UNKNOWN -> kind.isCold();
        case SCARCE -> kind.isCold() || kind == FileKind.POSTINGS;
        case VECTORS_SCARCE -> kind != FileKind.OTHER;
      };
    }
  }

  private static final Logger LOG = Logger.getLogger(MemoryPressure.class.getName());

  /** Files fit if they take at most this share of the memory. */
  private static final double FITS = 0.9;

  /** Vectors fit if they take at most this share; so do all other files that are not cold. */
  private static final double PART_FITS = 0.75;

  /** How old the memory figure may be. */
  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(MemoryWatch.PERIOD_MILLIS);

  /** The page cache is full from a sixteenth free on, until a quarter is free again. */
  private static final int FULL_SHARE = 16;

  private static final int EMPTY_SHARE = 4;

  /** Beyond this multiple of the memory, what is read around stays in the page cache unused. */
  private static final int MOST_FILLED = 4;

  private final LongSupplier memoryBytes;
  private final LongSupplier freeBytes;

  /** The files whose advice follows the level. They keep neither directories nor inputs alive. */
  private final Set<MappedResidency> mapped = ConcurrentHashMap.newKeySet();

  /**
   * The mapped files. The readers of a file share its pages: it is counted once, with the kind and
   * length of its first reader. Guarded by this.
   */
  private final Map<Path, OpenFile> open = new HashMap<>();

  private volatile State state;
  private volatile long checkedNanos;

  /**
   * Starts without open files.
   *
   * @param memoryBytes how many bytes the page cache can currently hold
   * @param freeBytes how many bytes it can take before any is evicted
   */
  MemoryPressure(LongSupplier memoryBytes, LongSupplier freeBytes) {
    this.memoryBytes = memoryBytes;
    this.freeBytes = freeBytes;
    state = new State(0, 0, 0, 0, false);
    check();
  }

  /**
   * Counts a file while it is open, and renews its advice when the level changes. Call without a
   * lock: it may advise other files.
   */
  void add(MappedResidency file) {
    if (mapped.add(file)) {
      opened(file.path(), file.kind(), file.bytes());
    }
  }

  /** As {@link #add}. */
  void remove(MappedResidency file) {
    if (mapped.remove(file)) {
      closed(file.path());
    }
  }

  /** Counts a file as mapped once more. */
  void opened(Path file, FileKind kind, long bytes) {
    count(file, 1, kind, bytes);
  }

  /** Counts one mapping of a file no longer. */
  void closed(Path file) {
    count(file, -1, FileKind.OTHER, 0);
  }

  synchronized boolean isOpen(Path file) {
    return open.containsKey(file);
  }

  private record OpenFile(FileKind kind, long bytes, int readers) {}

  private synchronized void count(Path file, int change, FileKind kind, long bytes) {
    OpenFile before = open.getOrDefault(file, new OpenFile(kind, bytes, 0));
    OpenFile one = new OpenFile(before.kind, before.bytes, before.readers + change);
    open.compute(file, (_, _) -> one.readers == 0 ? null : one);
    if (before.readers == 0 || one.readers == 0) {
      long added = change * one.bytes;
      set(
          new State(
              state.coldBytes + (one.kind.isCold() ? added : 0),
              state.otherBytes + (one.kind.isCold() ? 0 : added),
              state.vectorBytes + (one.kind == FileKind.VECTORS ? added : 0),
              state.memoryBytes,
              state.full));
    }
    if (open.isEmpty()) {
      MemoryWatch.remove(this);
    } else {
      MemoryWatch.add(this);
    }
  }

  /** The level, from 0 for plenty on, and what it follows from. */
  @SuppressWarnings("EnumOrdinal") // the order of the levels is what the figure means
  void report(MetricSource.Sink sink) {
    State now = state;
    sink.gauge("memory.level", now.level().ordinal());
    sink.gauge("page.cache.bytes", now.memoryBytes());
    sink.gauge("mapped.cold.bytes", now.coldBytes());
    sink.gauge("mapped.other.bytes", now.otherBytes());
  }

  /** The current state; checks the memory if the last check is old. Takes no lock otherwise. */
  State state() {
    if (System.nanoTime() - checkedNanos > CHECK_NANOS) {
      check();
    }
    return state;
  }

  /** The state at the last check. */
  State lastState() {
    return state;
  }

  /** Checks the memory. */
  void check() {
    long memory = memoryBytes.getAsLong();
    long free = freeBytes.getAsLong();
    synchronized (this) {
      checkedNanos = System.nanoTime();
      boolean full = free <= memory / (state.full ? EMPTY_SHARE : FULL_SHARE);
      set(new State(state.coldBytes, state.otherBytes, state.vectorBytes, memory, full));
    }
  }

  private void set(State now) {
    State before = state;
    state = now;
    if (now.level() != before.level()) {
      mapped.forEach(MappedResidency::adviseAgain);
      LOG.fine(() -> "memory=" + now.level() + " (" + now + ")");
      if (Events.isRecorderReady()) {
        Events.MemoryLevel event = new Events.MemoryLevel();
        event.what = before.level() + " to " + now.level() + ": " + now;
        event.commit();
      }
    }
  }

  /**
   * The pressure at one moment.
   *
   * @param coldBytes length of the open files with stored fields, term vectors, and raw vectors
   *     beside quantized ones
   * @param otherBytes length of all other open files, compound files included
   * @param vectorBytes what vectors that searches read, and their graphs, take of these
   * @param full whether the page cache is
   */
  record State(long coldBytes, long otherBytes, long vectorBytes, long memoryBytes, boolean full) {

    Level level() {
      if (coldBytes + otherBytes <= FITS * memoryBytes) {
        return Level.PLENTY;
      }
      if (!full && coldBytes + otherBytes <= MOST_FILLED * memoryBytes) {
        return Level.FILLING;
      }
      double part = PART_FITS * memoryBytes;
      return vectorBytes > part
          ? Level.VECTORS_SCARCE
          : otherBytes - vectorBytes > part ? Level.SCARCE : Level.COLD_SCARCE;
    }

    /** How files of this kind are read that follow the memory, and why. */
    String explain(FileKind kind) {
      String choice =
          switch (level()) {
            case PLENTY -> "MAPPED: all files fit in memory";
            case FILLING -> "MAPPED: the page cache is not full";
            case Level level when !level.isRandom(kind) ->
                "MAPPED: fits, is small or is read in runs";
            case Level _ when NativeCalls.get().isEmpty() ->
                "MAPPED: no advice without native access";
            default -> "MAPPED_RANDOM: memory is scarce, and read-around would evict hot pages";
          };
      return choice + " (" + this + ")";
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "open files of %,d MiB, %,d MiB of it rarely read, %,d MiB vectors; "
              + "page cache of %,d MiB at most",
          (coldBytes + otherBytes) >> 20,
          coldBytes >> 20,
          vectorBytes >> 20,
          memoryBytes >> 20);
    }
  }
}
