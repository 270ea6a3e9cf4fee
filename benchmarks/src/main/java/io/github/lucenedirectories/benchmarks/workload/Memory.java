package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.variants.Variant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What each fork may use.
 *
 * @param limitBytes of the group: heap, the JVM's own memory, what a directory allocates, and the
 *     page cache of the files that the fork reads
 * @param heapMegabytes of the JVM
 * @param indexBytes of the index
 */
public record Memory(long limitBytes, long heapMegabytes, long indexBytes) {
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,9})([kmg])");
  private static final Pattern SHARE = Pattern.compile("(\\d{1,4}(?:\\.\\d+)?)%");
  private static final long LEAST_HEAP_MEGABYTES = 96;
  private static final int HEAP_SHARE = 5;
  private static final int MEGABYTE_SHIFT = 20;

  /* What a JVM that runs Lucene takes besides its heap: classes, compiled code, threads, buffers. */
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
   * The bytes that an option names: a number with a unit, or a share of something.
   *
   * @param option its name, for the message
   * @param text null if the user did not give it
   * @param whole what a share is a share of
   * @throws UsageException if the text is neither a number with a unit nor a share
   */
  public static long bytes(String option, @Nullable String text, long whole, long otherwise) {
    if (text == null) {
      return otherwise;
    }
    Matcher share = SHARE.matcher(text);
    if (share.matches()) {
      return (long) (Double.parseDouble(share.group(1)) / 100 * whole);
    }
    Matcher number = NUMBER.matcher(text.toLowerCase(Locale.ROOT));
    if (number.matches()) {
      return Long.parseLong(number.group(1)) << (10 * (1 + "kmg".indexOf(number.group(2))));
    }
    throw new UsageException(
        option + " must be like 700m, 1g, or 50% of the index: '" + text + "'");
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
          Numbers.text(
              "a heap of %d MiB and the JVM need at least %s of memory, and there are %s: give %s",
              heapMegabytes, Numbers.bytes(least), Numbers.bytes(limitBytes), remedy));
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
          Numbers.text(
              "--limit %s is more than the %s that this process may use itself",
              Numbers.bytes(limitBytes), Numbers.bytes(most)));
    }
  }

  /** Whether the limit takes nothing away: the whole index has room in the page cache. */
  boolean isAmple() {
    return indexBytes <= limitBytes - heapBytes() - JVM_BYTES;
  }

  /** Whether a directory has room for what it copies into memory. */
  public boolean hasRoomFor(Variant variant) {
    // A quarter more: buffers and pools end in part-filled blocks.
    double copy = variant.shareInMemory() * indexBytes * 5 / 4;
    return variant.usesHeap()
        ? copy <= heapBytes() - LUCENE_BYTES
        : copy <= limitBytes - heapBytes() - JVM_BYTES;
  }

  private long heapBytes() {
    return heapMegabytes << MEGABYTE_SHIFT;
  }
}
