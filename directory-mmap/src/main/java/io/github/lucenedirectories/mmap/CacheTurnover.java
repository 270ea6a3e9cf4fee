package io.github.lucenedirectories.mmap;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells from what a process reads into the page cache whether all that is in there is replaced
 * again and again, and how much should therefore be done about it. Any thread may use it.
 *
 * <p>A step more should be done when the device has been busy at five looks more than it was not,
 * and has given more than the cache holds, which filling it once does not take. Busy means that it
 * gives a quarter of the most that it was ever seen to give: then waiting for it is what takes the
 * time, also for one thread, which gets less out of a device than many. A minute later, or as soon
 * after that as the device is not busy, a step less is tried. If that makes it busy at once, the
 * next try is twice as far off.
 */
final class CacheTurnover {

  /** The most that can be done. */
  static final int MOST_STEPS = 2;

  private static final int LOOKS = 5;
  private static final int LOOKS_AT_TRY = 2;

  private static final double BUSY_SHARE = 0.25;

  /** No device is busy with less, whatever it was seen to give. */
  private static final double LEAST_BYTES_PER_SECOND = 25e6;

  private static final double FIRST_PATIENCE_SECONDS = 60;
  private static final double LONGEST_PATIENCE_SECONDS = 1_800;
  private static final double TRY_SECONDS = 60;

  /** Who asks again sooner is told what was found last. */
  private static final double SHORTEST_SECONDS = 1;

  private static final double NANOS = 1e9;

  private final Supplier<OptionalLong> readBytes;
  private final LongSupplier nanoTime;

  private long lookedNanos;
  private OptionalLong lookedBytes;

  /** The most that was read in a second. */
  private double mostBytesPerSecond;

  /** Looks that found the device busy, less those that did not, and what it gave in the former. */
  private int looks;

  private long streakBytes;

  private int steps;

  /** Since the last step. */
  private double seconds;

  /** Whether the last step was one less. */
  private boolean down;

  private double patienceSeconds = FIRST_PATIENCE_SECONDS;

  /**
   * Looks at a process.
   *
   * @param readBytes how many bytes it has read into the page cache so far; empty if that is
   *     unknown at the moment
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  CacheTurnover(Supplier<OptionalLong> readBytes, LongSupplier nanoTime) {
    this.readBytes = readBytes;
    this.nanoTime = nanoTime;
    lookedNanos = nanoTime.getAsLong();
    lookedBytes = readBytes.get();
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
    OptionalLong all = readBytes.get();
    boolean busy =
        all.isPresent()
            && lookedBytes.isPresent()
            && note(all.getAsLong() - lookedBytes.getAsLong(), passed);
    seconds += passed;
    lookedNanos = now;
    lookedBytes = all;
    if (steps < MOST_STEPS && isTurnedOver(cacheBytes)) {
      stepUp();
    } else if (steps > 0 && !busy && seconds >= patienceSeconds) {
      step(-1);
    }
    return steps;
  }

  /** Notes what was read, and returns whether the device was busy. */
  private boolean note(long bytes, double passed) {
    double rate = bytes / passed;
    mostBytesPerSecond = Math.max(rate, mostBytesPerSecond);
    boolean busy = rate >= Math.max(LEAST_BYTES_PER_SECOND, BUSY_SHARE * mostBytesPerSecond);
    looks = Math.clamp(looks + (busy ? 1 : -1), 0, LOOKS);
    if (looks == 0) {
      streakBytes = 0;
    } else if (busy) {
      streakBytes += bytes;
    }
    return busy;
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
  }
}
