package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells from what a process reads into the page cache whether all that is in there is replaced
 * again and again, and how much should therefore be done about it. Any thread may use it.
 *
 * <p>A step more should be done when the device has been busy at five looks more than it was not,
 * and has given more than the cache holds, which filling it once does not take. Busy means that it
 * gives a quarter of the most that it was ever seen to give: then waiting for it is what takes the
 * time, also for one thread, which gets less out of a device than many.
 *
 * <p>A step less is tried a minute later at the earliest, and when at five looks one after another
 * nearly all that was asked for was in the cache: while more than that comes from the device, a
 * mapping, which loads more for each page that is missing, would only make it worse. If the try
 * makes the device busy at once, the next one is twice as far off.
 */
final class ThrashingDetector {

  /** The most that can be done. */
  static final int MOST_STEPS = 2;

  private static final int LOOKS = 5;
  private static final int LOOKS_AT_TRY = 2;

  private static final double BUSY_SHARE = 0.25;

  /** Nearly all was in the cache if the device gave less than this share of it. */
  private static final double MISSING_SHARE = 1.0 / 16;

  /** A look at less tells nothing of it. */
  private static final long LEAST_BYTES = 1_000_000;

  /** No device is busy with less, whatever it was seen to give. */
  private static final double LEAST_BYTES_PER_SECOND = 25e6;

  private static final double FIRST_PATIENCE_SECONDS = 60;
  private static final double LONGEST_PATIENCE_SECONDS = 1_800;
  private static final double TRY_SECONDS = 60;

  /** Who asks again sooner is told what was found last. */
  private static final double SHORTEST_SECONDS = 1;

  private static final double NANOS = 1e9;

  private final Supplier<Optional<ProcessIoCounters>> reads;
  private final LongSupplier nanoTime;

  private long lookedNanos;
  private Optional<ProcessIoCounters> lookedReads;

  private double mostBytesPerSecond;

  /** Looks that found the device busy, less those that did not, and what it gave in the former. */
  private int looks;

  private long streakBytes;

  /** Looks in a row that found nearly all in the cache. */
  private int calmLooks;

  private int steps;

  /** Since the last step. */
  private double seconds;

  /** Whether the last step was one less. */
  private boolean down;

  private double patienceSeconds = FIRST_PATIENCE_SECONDS;

  /**
   * Looks at a process.
   *
   * @param reads what it has read so far; empty if that is unknown at the moment
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  ThrashingDetector(Supplier<Optional<ProcessIoCounters>> reads, LongSupplier nanoTime) {
    this.reads = reads;
    this.nanoTime = nanoTime;
    lookedNanos = nanoTime.getAsLong();
    lookedReads = reads.get();
  }

  /**
   * Looks once more; returns how many steps should be done, from 0 on.
   *
   * @param cacheBytes what the cache can hold
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
