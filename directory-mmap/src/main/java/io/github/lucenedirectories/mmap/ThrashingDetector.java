package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Detects from a process's reads into the page cache whether the contents of the cache are replaced
 * again and again, and decides how many steps to take against that. Any thread may use it.
 *
 * <p>One more step is due when checks that found the device busy outnumber the others by five, and
 * the device has delivered more bytes than the cache holds, which filling the cache once does not
 * need. Busy means that the device delivers a quarter of its highest rate so far: then queries
 * mostly wait for the device, even with a single thread, which gets less out of a device than many.
 *
 * <p>One step less is tried a minute later at the earliest, when five checks in a row found nearly
 * all requested bytes in the cache. While more bytes come from the device, a mapping would only
 * make it worse, since it loads more for each missing page. If the attempt makes the device busy at
 * once, the next one waits twice as long.
 */
final class ThrashingDetector {

  /** The largest number of steps. */
  static final int MOST_STEPS = 2;

  private static final int LOOKS = 5;
  private static final int LOOKS_AT_TRY = 2;

  private static final double BUSY_SHARE = 0.25;

  /** Nearly all bytes were in the cache if the device delivered less than this share of them. */
  private static final double MISSING_SHARE = 1.0 / 16;

  /** A check over fewer bytes says nothing about the cache. */
  private static final long LEAST_BYTES = 1_000_000;

  /** The lowest rate at which a device counts as busy. */
  private static final double LEAST_BYTES_PER_SECOND = 25e6;

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

  /** Checks in a row that found nearly all bytes in the cache. */
  private int calmLooks;

  private int steps;

  /** Seconds since the last step. */
  private double seconds;

  /** Whether the last step went down. */
  private boolean down;

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
   * Checks once more; returns how many steps to take, 0 or more.
   *
   * @param cacheBytes how many bytes the cache can hold
   */
  synchronized int look(long cacheBytes) {
    long now = nanoTime.getAsLong();
    double passed = (now - lookedNanos) / NANOS;
    if (passed < SHORTEST_SECONDS) {
      return steps;
    }
    Optional<ProcessIoCounters> all = reads.get();
    if (all.isPresent() && lookedReads.isPresent()) {
      ProcessIoCounters since = all.get().since(lookedReads.get());
      noteDevice(since.deviceBytes(), passed);
      noteMissing(since);
    }
    seconds += passed;
    lookedNanos = now;
    lookedReads = all;
    if (steps < MOST_STEPS && isTurnedOver(cacheBytes)) {
      stepUp();
    } else if (steps > 0 && calmLooks >= LOOKS && seconds >= patienceSeconds) {
      step(-1);
    }
    return steps;
  }

  private void noteDevice(long bytes, double passed) {
    double rate = bytes / passed;
    mostBytesPerSecond = Math.max(rate, mostBytesPerSecond);
    boolean busy = rate >= Math.max(LEAST_BYTES_PER_SECOND, BUSY_SHARE * mostBytesPerSecond);
    looks = Math.clamp(looks + (busy ? 1 : -1), 0, LOOKS);
    if (looks == 0) {
      streakBytes = 0;
    } else if (busy) {
      streakBytes += bytes;
    }
  }

  private void noteMissing(ProcessIoCounters since) {
    if (Math.max(since.askedBytes(), since.deviceBytes()) >= LEAST_BYTES) {
      boolean calm = since.deviceBytes() < MISSING_SHARE * since.askedBytes();
      calmLooks = calm ? calmLooks + 1 : 0;
    }
  }

  private boolean isTurnedOver(long cacheBytes) {
    return isTry() ? looks >= LOOKS_AT_TRY : looks >= LOOKS && streakBytes > cacheBytes;
  }

  private boolean isTry() {
    return down && seconds < TRY_SECONDS;
  }

  private void stepUp() {
    patienceSeconds =
        isTry() ? Math.min(2 * patienceSeconds, LONGEST_PATIENCE_SECONDS) : FIRST_PATIENCE_SECONDS;
    step(1);
  }

  private void step(int change) {
    steps += change;
    down = change < 0;
    seconds = 0;
    looks = 0;
    streakBytes = 0;
    calmLooks = 0;
  }
}
