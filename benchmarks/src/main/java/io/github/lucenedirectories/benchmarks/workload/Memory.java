// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import java.io.IOException;
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
  private static final long JVM_BYTES = 64L << MEGABYTE_SHIFT;

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

  /** One of several limits. All have the same heap, so that they differ in page cache alone. */
  static SearchForks.Limit limit(
      String limit, List<String> all, long indexBytes, @Nullable Cgroups groups)
      throws IOException {
    long least = all.stream().mapToLong(text -> limitBytes(text, indexBytes)).min().orElseThrow();
    long heap = Math.min(MOST_HEAP_MEGABYTES, usualHeapMegabytes(least));
    Memory memory = new Memory(limitBytes(limit, indexBytes), heap, indexBytes);
    memory.checkHeap("a larger --limit, or a larger index");
    Cgroups limiting = limit.equals(UNLIMITED) ? null : groups;
    if (limiting != null) {
      memory.checkLimit(limiting.leastLimitAbove());
    }
    return new SearchForks.Limit(memory, limiting);
  }

  /** The limit where the user names none: half of the index, and not too little to run. */
  public static long usualLimitBytes(long indexBytes) {
    return Math.max(indexBytes / 2, (LEAST_HEAP_MEGABYTES << MEGABYTE_SHIFT) + JVM_BYTES);
  }

  /** The heap where the user names none: a fifth of the limit, and not too little to run. */
  public static long usualHeapMegabytes(long limitBytes) {
    return Math.max(LEAST_HEAP_MEGABYTES, (limitBytes >> MEGABYTE_SHIFT) / HEAP_SHARE);
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

  public void checkHeap(String remedy) {
    long least = heapBytes() + JVM_BYTES;
    RunOptions.refuse(
        limitBytes < least,
        Numbers.text(
            "a heap of %d MiB and the JVM need at least %s of memory, and there are %s: give %s",
            heapMegabytes, Numbers.bytes(least), Numbers.bytes(limitBytes), remedy));
  }

  /** Refuses a limit above the least one of the groups above. */
  public void checkLimit(long most) {
    RunOptions.refuse(
        limitBytes > most,
        Numbers.text(
            "--limit %s is more than the %s that this process may use itself",
            Numbers.bytes(limitBytes), Numbers.bytes(most)));
  }

  public JvmFlags flags() {
    return new JvmFlags(heapMegabytes, JvmFlags.Collector.SERIAL);
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
