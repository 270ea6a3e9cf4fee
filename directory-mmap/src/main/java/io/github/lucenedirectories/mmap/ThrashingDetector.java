// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Detects from a process's reads into the page cache whether its contents are replaced again and
 * again. Any thread may use it.
 *
 * <p>The cache is thrashing when checks that found the device busy outnumber the others by five,
 * and the device has delivered more bytes than the cache holds, which filling the cache once does
 * not need. Busy means that the device delivers a quarter of its highest rate so far: then queries
 * mostly wait for the device, even with a single thread, which gets less out of a device than many.
 *
 * <p>It ends a minute later at the earliest, when five checks in a row found the device idle. If
 * the device is busy at once then, the next end takes twice as long.
 */
final class ThrashingDetector {

  private static final int LOOKS = 5;
  private static final int LOOKS_AT_TRY = 2;

  private static final double BUSY_SHARE = 0.25;

  /** The lowest rate at which a device counts as busy. */
  private static final double LEAST_BYTES_PER_SECOND = 25e6;

  /** The highest rate at which it counts as idle, though only pages that are read are loaded. */
  private static final double IDLE_BYTES_PER_SECOND = 1e6;

  private static final double FIRST_PATIENCE_SECONDS = 60;
  private static final double LONGEST_PATIENCE_SECONDS = 1_800;
  private static final double TRY_SECONDS = 60;

  /** A check sooner than this returns the last result. */
  private static final double SHORTEST_SECONDS = 1;

  private static final double NANOS = 1e9;

  private final Supplier<Optional<ProcessIoCounters>> reads;
  private final LongSupplier nanoTime;

  private long lookedNanos;
  private Optional<ProcessIoCounters> lookedReads;

  private double mostBytesPerSecond;

  /** Checks that found the device busy minus those that did not, and the bytes of the former. */
  private int looks;

  private long streakBytes;

  /** Checks in a row that found the device idle. */
  private int idleLooks;

  private boolean thrashing;

  /** Seconds since the last change. */
  private double seconds = Double.MAX_VALUE;

  private double patienceSeconds = FIRST_PATIENCE_SECONDS;

  /**
   * Watches a process.
   *
   * @param reads its reads so far; empty if they are currently unknown
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  ThrashingDetector(Supplier<Optional<ProcessIoCounters>> reads, LongSupplier nanoTime) {
    this.reads = reads;
    this.nanoTime = nanoTime;
    lookedNanos = nanoTime.getAsLong();
    lookedReads = reads.get();
  }

  /**
   * Checks once more; returns whether the cache is thrashing.
   *
   * @param cacheBytes how many bytes the cache can hold
   */
  synchronized boolean look(long cacheBytes) {
    long now = nanoTime.getAsLong();
    double passed = (now - lookedNanos) / NANOS;
    if (passed < SHORTEST_SECONDS) {
      return thrashing;
    }
    Optional<ProcessIoCounters> all = reads.get();
    if (all.isPresent() && lookedReads.isPresent()) {
      note(all.get().since(lookedReads.get()).deviceBytes(), passed);
    }
    seconds += passed;
    lookedNanos = now;
    lookedReads = all;
    if (!thrashing && isTurnedOver(cacheBytes)) {
      patienceSeconds =
          isTry()
              ? Math.min(2 * patienceSeconds, LONGEST_PATIENCE_SECONDS)
              : FIRST_PATIENCE_SECONDS;
      change(true);
    } else if (thrashing && idleLooks >= LOOKS && seconds >= patienceSeconds) {
      change(false);
    }
    return thrashing;
  }

  private void note(long bytes, double passed) {
    double rate = bytes / passed;
    mostBytesPerSecond = Math.max(rate, mostBytesPerSecond);
    boolean busy = rate >= Math.max(LEAST_BYTES_PER_SECOND, BUSY_SHARE * mostBytesPerSecond);
    looks = Math.clamp(looks + (busy ? 1 : -1), 0, LOOKS);
    if (looks == 0) {
      streakBytes = 0;
    } else if (busy) {
      streakBytes += bytes;
    }
    idleLooks = rate < IDLE_BYTES_PER_SECOND ? idleLooks + 1 : 0;
  }

  private boolean isTurnedOver(long cacheBytes) {
    return isTry() ? looks >= LOOKS_AT_TRY : looks >= LOOKS && streakBytes > cacheBytes;
  }

  /** Whether it ended only now. */
  private boolean isTry() {
    return seconds < TRY_SECONDS;
  }

  private void change(boolean now) {
    thrashing = now;
    seconds = 0;
    looks = 0;
    streakBytes = 0;
    idleLooks = 0;
  }
}
