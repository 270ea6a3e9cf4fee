package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.report.Numbers;

/**
 * What each fork may use.
 *
 * @param limitBytes of the group: heap, the JVM's own memory, what a directory allocates, and the
 *     page cache of the files that the fork reads
 * @param heapMegabytes of the JVM
 * @param indexBytes of the index
 */
public record Memory(long limitBytes, long heapMegabytes, long indexBytes) {
  private static final long LEAST_HEAP_MEGABYTES = 96;
  private static final int HEAP_SHARE = 5;
  private static final int MEGABYTE_SHIFT = 20;

  /* What a JVM that runs Lucene takes beside its heap: classes, compiled code, threads, buffers. */
  private static final long JVM_BYTES = 64L << MEGABYTE_SHIFT;

  /* Of the heap, what Lucene needs for itself. */
  private static final long LUCENE_BYTES = 64L << MEGABYTE_SHIFT;

  /** The limit where the user names none: half of the index, and not too little to run. */
  public static long usualLimitBytes(long indexBytes) {
    return Math.max(indexBytes / 2, (LEAST_HEAP_MEGABYTES << MEGABYTE_SHIFT) + JVM_BYTES);
  }

  /** The heap where the user names none: a fifth of the limit, and not too little to run. */
  public static long usualHeapMegabytes(long limitBytes) {
    return Math.max(LEAST_HEAP_MEGABYTES, (limitBytes >> MEGABYTE_SHIFT) / HEAP_SHARE);
  }

  /**
   * Refuses memory in which no JVM can run.
   *
   * @param remedy what to give instead
   */
  public void checkHeap(String remedy) {
    long least = heapBytes() + JVM_BYTES;
    if (limitBytes < least) {
      throw new UsageException(
          "a heap of "
              + heapMegabytes
              + " MiB and the JVM need at least "
              + Numbers.bytes(least)
              + " of memory, and there are "
              + Numbers.bytes(limitBytes)
              + ": give "
              + remedy);
    }
  }

  /**
   * Refuses a limit that cannot be set.
   *
   * @param most the least limit of the groups above
   */
  public void checkLimit(long most) {
    if (limitBytes > most) {
      throw new UsageException(
          "--limit "
              + Numbers.bytes(limitBytes)
              + " is more than the "
              + Numbers.bytes(most)
              + " that this process may use itself");
    }
  }

  /** Whether the limit takes nothing away: the whole index has room in the page cache. */
  boolean isAmple() {
    return indexBytes <= limitBytes - heapBytes() - JVM_BYTES;
  }

  /** Whether a directory finds room for what it copies into memory. */
  public boolean hasRoomFor(ReadableDirectory directory) {
    // A quarter more: buffers and pools end in part-filled blocks.
    double copy = directory.shareInMemory() * indexBytes * 5 / 4;
    return directory.usesHeap()
        ? copy <= heapBytes() - LUCENE_BYTES
        : copy <= limitBytes - heapBytes() - JVM_BYTES;
  }

  private long heapBytes() {
    return heapMegabytes << MEGABYTE_SHIFT;
  }
}
