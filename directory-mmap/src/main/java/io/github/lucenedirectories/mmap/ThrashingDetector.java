// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Detects from a process's reads into the page cache whether the cache is thrashing. Any thread may
 * use it.
 *
 * <p>Thrashing begins when checks that found the device busy outnumber the others by {@value
 * #CHECKS}, and the device has delivered more bytes than the cache holds, which filling the cache
 * once does not need. Busy means that the device delivers a quarter of its highest rate so far:
 * then queries mostly wait for the device, even with a single thread, which gets less out of a
 * device than many.
 *
 * <p>It ends a minute later at the earliest, when {@value #CHECKS} checks in a row found the device
 * idle. If the device is busy again right after that, thrashing lasts twice as long the next time.
 */
final class ThrashingDetector {

  private static final int CHECKS = 5;
  private static final int CHECKS_AFTER_END = 2;

  private static final double BUSY_SHARE = 0.25;

  /** The lowest rate at which a device counts as busy. */
  private static final double LEAST_BYTES_PER_SECOND = 25e6;

  /** The highest rate at which it counts as idle, though only pages that are read are loaded. */
  private static final double IDLE_BYTES_PER_SECOND = 1e6;

  private static final double FIRST_LEAST_SECONDS = 60;
  private static final double MOST_LEAST_SECONDS = 1_800;
  private static final double AFTER_END_SECONDS = 60;

  /** A check sooner than this returns the last result. */
  private static final double SHORTEST_SECONDS = 1;

  private static final double NANOS = 1e9;

  private final Supplier<OptionalLong> reads;
  private final LongSupplier nanoTime;

  private long lastNanos;
  private OptionalLong lastReads;

  private double mostBytesPerSecond;

  /** Checks that found the device busy minus those that did not, at least 0. */
  private int busyExcess;

  /** Bytes that the device delivered while busy, since the excess was last 0. */
  private long busyBytes;

  /** Checks in a row that found the device idle. */
  private int idleChecks;

  private boolean thrashing;

  private double secondsSinceChange = Double.MAX_VALUE;

  /** How long thrashing lasts at least. */
  private double leastSeconds = FIRST_LEAST_SECONDS;

  /**
   * Watches a process.
   *
   * @param reads the bytes that devices have read for it so far; empty if they are currently
   *     unknown
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  ThrashingDetector(Supplier<OptionalLong> reads, LongSupplier nanoTime) {
    this.reads = reads;
    this.nanoTime = nanoTime;
    lastNanos = nanoTime.getAsLong();
    lastReads = reads.get();
  }

  /**
   * Checks once more; returns whether the cache is thrashing.
   *
   * @param cacheBytes how many bytes the cache can hold
   */
  synchronized boolean check(long cacheBytes) {
    long now = nanoTime.getAsLong();
    double passed = (now - lastNanos) / NANOS;
    if (passed < SHORTEST_SECONDS) {
      return thrashing;
    }
    OptionalLong all = reads.get();
    if (all.isPresent() && lastReads.isPresent()) {
      add(all.getAsLong() - lastReads.getAsLong(), passed);
    }
    secondsSinceChange += passed;
    lastNanos = now;
    lastReads = all;
    if (!thrashing && begins(cacheBytes)) {
      leastSeconds =
          hasJustEnded() ? Math.min(2 * leastSeconds, MOST_LEAST_SECONDS) : FIRST_LEAST_SECONDS;
      change(true);
    } else if (thrashing && idleChecks >= CHECKS && secondsSinceChange >= leastSeconds) {
      change(false);
    }
    return thrashing;
  }

  private void add(long bytes, double passed) {
    double rate = bytes / passed;
    mostBytesPerSecond = Math.max(rate, mostBytesPerSecond);
    boolean busy = rate >= Math.max(LEAST_BYTES_PER_SECOND, BUSY_SHARE * mostBytesPerSecond);
    busyExcess = Math.clamp(busyExcess + (busy ? 1 : -1), 0, CHECKS);
    if (busyExcess == 0) {
      busyBytes = 0;
    } else if (busy) {
      busyBytes += bytes;
    }
    idleChecks = rate < IDLE_BYTES_PER_SECOND ? idleChecks + 1 : 0;
  }

  private boolean begins(long cacheBytes) {
    return hasJustEnded()
        ? busyExcess >= CHECKS_AFTER_END
        : busyExcess >= CHECKS && busyBytes > cacheBytes;
  }

  private boolean hasJustEnded() {
    return secondsSinceChange < AFTER_END_SECONDS;
  }

  private void change(boolean now) {
    thrashing = now;
    secondsSinceChange = 0;
    busyExcess = 0;
    busyBytes = 0;
    idleChecks = 0;
  }
}
