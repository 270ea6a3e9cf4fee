// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What each fork may use.
 *
 * @param limitBytes of the group: heap, the JVM's own memory, what a directory allocates, and the
 *     page cache of the files that the fork reads
 */
public record Memory(long limitBytes, long heapMegabytes, long indexBytes) {
  private static final Pattern SHARE = Pattern.compile("(\\d{1,4}(?:\\.\\d+)?)%");
  private static final long LEAST_HEAP_MEGABYTES = 96;
  private static final int HEAP_SHARE = 5;
  private static final int MEGABYTE_SHIFT = 20;

  /* What a JVM that runs Lucene takes besides its heap: classes, compiled code, threads, buffers. */
  private static final long JVM_BYTES = 88L << MEGABYTE_SHIFT;

  /* Of the heap, what Lucene needs for itself. */
  private static final long LUCENE_BYTES = 64L << MEGABYTE_SHIFT;

  /** What {@code --limit} takes besides sizes: no limit, and half of the index. */
  static final String UNLIMITED = "none";

  static final String HALF = "half";

  /* A long run fills the smallest heap, and needs more beside it than a short one. */
  private static final long LEAST_LIMIT_BYTES = 224L << MEGABYTE_SHIFT;
  private static final long MOST_HEAP_MEGABYTES = 512;

  /** The bytes of a limit, which may be {@value #UNLIMITED} or {@value #HALF}. */
  static long limitBytes(String limit, long indexBytes) {
    return switch (limit) {
      case UNLIMITED -> Long.MAX_VALUE;
      case HALF -> Math.max(LEAST_LIMIT_BYTES, indexBytes / 2);
      default -> bytes("--limit", limit, indexBytes, 0);
    };
  }

  /**
   * One of several limits.
   *
   * @param heap null for the same with all limits, so that they differ in page cache alone: a fifth
   *     of the smallest one, and not too little to run
   */
  static Memory of(String limit, List<String> all, @Nullable String heap, long indexBytes) {
    long least = all.stream().mapToLong(text -> limitBytes(text, indexBytes)).min().orElseThrow();
    long heapMegabytes = heapMegabytes(heap, least);
    return new Memory(limitBytes(limit, indexBytes), heapMegabytes, indexBytes);
  }

  /** Leaves {@code room} to the page cache, beside the heap and the native memory of the JVM. */
  static Memory ofPageCache(String room, @Nullable String heap, long indexBytes) {
    long besides = bytes("--page-cache", room, indexBytes, 0) + JVM_BYTES;
    long heapMegabytes = heapMegabytes(heap, besides * HEAP_SHARE / (HEAP_SHARE - 1));
    return new Memory((heapMegabytes << MEGABYTE_SHIFT) + besides, heapMegabytes, indexBytes);
  }

  private static long heapMegabytes(@Nullable String heap, long limitBytes) {
    long usual =
        Math.clamp(
            (limitBytes >> MEGABYTE_SHIFT) / HEAP_SHARE, LEAST_HEAP_MEGABYTES, MOST_HEAP_MEGABYTES);
    return bytes("--heap", heap, limitBytes, usual << MEGABYTE_SHIFT) >> MEGABYTE_SHIFT;
  }

  boolean isLimited() {
    return limitBytes < Long.MAX_VALUE;
  }

  /** The bytes that an option names: a number with a unit, or a share of {@code whole}. */
  public static long bytes(String option, @Nullable String text, long whole, long otherwise) {
    if (text == null) {
      return otherwise;
    }
    Matcher share = SHARE.matcher(text);
    try {
      return share.matches()
          ? (long) (Double.parseDouble(share.group(1)) / 100 * whole)
          : ByteCount.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          option + " must be like 700m, 1g, or 50% of the index: '" + text + "'", e);
    }
  }

  /** Refuses what the JVM has no room in, and more than this process may use itself. */
  void check(long most) {
    long least = heapBytes() + JVM_BYTES;
    RunOptions.refuse(
        limitBytes < least,
        Numbers.text(
            "a heap of %d MiB and the JVM need at least %s of memory, and there are %s: give a"
                + " larger --limit or a larger index",
            heapMegabytes, Numbers.bytes(least), Numbers.bytes(limitBytes)));
    RunOptions.refuse(
        isLimited() && limitBytes > most,
        Numbers.text(
            "--limit %s is more than the %s that this process may use itself",
            Numbers.bytes(limitBytes), Numbers.bytes(most)));
  }

  public JvmFlags flags() {
    return new JvmFlags(heapMegabytes, JvmFlags.Collector.SERIAL, true);
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
