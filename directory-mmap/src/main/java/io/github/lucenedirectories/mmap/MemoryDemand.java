package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.PageCacheReads;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Compares the indexes that this process reads with the memory that the page cache has for them.
 *
 * <p>All hybrid directories of a process share one, since they share the memory. All methods may be
 * called from any thread.
 */
final class MemoryDemand {

  /** How scarce memory is. */
  enum Level {
    /** All files fit. */
    PLENTY,
    /**
     * Not all fit. Stored fields and term vectors, of which a query reads a few places, give way to
     * the rest, of which queries read some parts again and again.
     */
    SCARCE,
    /**
     * What is read replaces all that is in memory again and again. All but vectors gives way, of
     * which one search reads thousands.
     */
    CHURNING,
    /**
     * The rest is so much more than fits that hardly anything is read again in time; or so it was
     * seen to be.
     */
    STARVED
  }

  /** Files take this share of the memory at most, if they are to stay in it. */
  private static final double FITS = 0.9;

  /** What is read again and again is no less than about a third of what is no stored field. */
  private static final double TOO_MUCH = 3;

  private final Map<Object, Index> indexes = new ConcurrentHashMap<>();
  private final LongSupplier memoryBytes;
  private final CacheTurnover turnover = new CacheTurnover(PageCacheReads::now, System::nanoTime);

  MemoryDemand(LongSupplier memoryBytes) {
    this.memoryBytes = memoryBytes;
  }

  /**
   * An index.
   *
   * @param folder where it is
   * @param storedBytes length of its stored fields and term vectors
   * @param otherBytes length of all other files
   */
  record Index(Path folder, long storedBytes, long otherBytes) {
    private Index larger(Index other) {
      return storedBytes + otherBytes >= other.storedBytes + other.otherBytes ? this : other;
    }
  }

  /** Notes which index {@code reader} reads. */
  void set(Object reader, Index index) {
    indexes.put(reader, index);
  }

  /** The reader reads no more. */
  void remove(Object reader) {
    indexes.remove(reader);
  }

  State state() {
    // Two readers of a folder share its pages.
    Map<Path, Index> folders = new HashMap<>();
    indexes.values().forEach(index -> folders.merge(index.folder, index, Index::larger));
    long memory = memoryBytes.getAsLong();
    return new State(
        folders.values().stream().mapToLong(Index::storedBytes).sum(),
        folders.values().stream().mapToLong(Index::otherBytes).sum(),
        memory,
        turnover.look(memory));
  }

  /**
   * The demand at one moment.
   *
   * @param churn how much should be done because the page cache was seen to be replaced again and
   *     again: nothing, or one step, or two
   */
  record State(long storedBytes, long otherBytes, long memoryBytes, int churn) {

    Level level() {
      double room = FITS * memoryBytes;
      if (storedBytes + otherBytes <= room) {
        return Level.PLENTY;
      }
      if (otherBytes > TOO_MUCH * room || churn == CacheTurnover.MOST_STEPS) {
        return Level.STARVED;
      }
      return churn == 0 ? Level.SCARCE : Level.CHURNING;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "indexes of %,d MiB, %,d MiB of it stored fields; page cache of %,d MiB at most%s",
          (storedBytes + otherBytes) >> 20,
          storedBytes >> 20,
          memoryBytes >> 20,
          level().compareTo(Level.SCARCE) > 0 && churn > 0 ? ", replaced again and again" : "");
    }
  }
}
