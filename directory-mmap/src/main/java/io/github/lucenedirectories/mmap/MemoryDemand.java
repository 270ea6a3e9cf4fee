package io.github.lucenedirectories.mmap;

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
    /** They do not fit. */
    SCARCE
  }

  /** Files take this share of the memory at most, if they are to stay in it. */
  private static final double FITS = 0.9;

  private final Map<Object, Index> indexes = new ConcurrentHashMap<>();
  private final LongSupplier memoryBytes;

  MemoryDemand(LongSupplier memoryBytes) {
    this.memoryBytes = memoryBytes;
  }

  private record Index(Path folder, long bytes) {}

  /** Notes how many bytes the index in a folder has that {@code reader} reads. */
  void set(Object reader, Path folder, long bytes) {
    indexes.put(reader, new Index(folder, bytes));
  }

  /** The reader reads no more. */
  void remove(Object reader) {
    indexes.remove(reader);
  }

  State state() {
    // Two readers of a folder share its pages.
    Map<Path, Long> folders = new HashMap<>();
    indexes.values().forEach(index -> folders.merge(index.folder, index.bytes, Math::max));
    return new State(
        folders.values().stream().mapToLong(Long::longValue).sum(), memoryBytes.getAsLong());
  }

  /** The demand at one moment. */
  record State(long indexBytes, long memoryBytes) {

    Level level() {
      return indexBytes <= FITS * memoryBytes ? Level.PLENTY : Level.SCARCE;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "indexes of %,d MiB, page cache of %,d MiB at most",
          indexBytes >> 20,
          memoryBytes >> 20);
    }
  }
}
