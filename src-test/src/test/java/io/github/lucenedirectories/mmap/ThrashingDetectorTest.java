// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.OptionalLong;

/** When the page cache counts as replaced again and again. */
public class ThrashingDetectorTest extends LibraryTestCase {

  private static final long CACHE_BYTES = 1_000_000_000;
  private static final int PERIOD_SECONDS = 2;

  /** The most that an idle device gives in a period. */
  private static final long IDLE_BYTES = PERIOD_SECONDS * 1_000_000L - 1;

  private long nanos = random().nextLong();
  private long reads = random().nextLong(1L << 50);
  private boolean known = true;
  private final ThrashingDetector detector =
      new ThrashingDetector(
          () -> known ? OptionalLong.of(reads) : OptionalLong.empty(), () -> nanos);

  /** Whether it is thrashing after a period in which so much was read from the device. */
  private boolean after(int seconds, long bytes) {
    nanos += seconds * 1_000_000_000L;
    reads += bytes;
    return detector.check(CACHE_BYTES);
  }

  /** Reads so much in each period until it is thrashing, or is not; how long that took. */
  private int secondsUntil(boolean thrashing, long bytesPerPeriod) {
    for (int seconds = PERIOD_SECONDS; seconds < 10_000; seconds += PERIOD_SECONDS) {
      if (after(PERIOD_SECONDS, bytesPerPeriod) == thrashing) {
        return seconds;
      }
    }
    throw new AssertionError("never " + thrashing);
  }

  private int secondsUntil(long bytesPerPeriod) {
    return secondsUntil(true, bytesPerPeriod);
  }

  private int idleSecondsUntilItEnds() {
    return secondsUntil(false, IDLE_BYTES);
  }

  private void require(boolean thrashing, int periods, long bytes) {
    for (int i = 0; i < periods; i++) {
      assertEquals(thrashing, after(PERIOD_SECONDS, bytes));
    }
  }

  public void testFillingTheCacheOnceAndBurstsAreNotThrashing() {
    require(false, 10, CACHE_BYTES / 10);
    require(false, 1_000, 0);
    for (int i = 0; i < 100; i++) {
      require(false, 4, 5 * CACHE_BYTES);
      require(false, 4, CACHE_BYTES);
    }
  }

  public void testPauseDoesNotHideIt() {
    require(false, 4, CACHE_BYTES);
    require(false, 1, 0);
    assertEquals(2 * PERIOD_SECONDS, secondsUntil(CACHE_BYTES));
  }

  public void testFastDevice() {
    assertEquals("five checks tell", 10, secondsUntil(CACHE_BYTES));
    require(true, 1_000, CACHE_BYTES);
  }

  public void testSlowDevice() {
    // It waits for a whole cache.
    assertEquals(17 * PERIOD_SECONDS, secondsUntil(CACHE_BYTES / 16));
  }

  public void testIdleDevice() {
    require(false, 1_000, 49_000_000);
    assertEquals(20 * PERIOD_SECONDS, secondsUntil(51_000_000));
  }

  public void testDeviceThatCouldGiveMore() {
    after(PERIOD_SECONDS, CACHE_BYTES);
    require(false, 1_000, CACHE_BYTES / 5);
  }

  public void testEndsAfterAMinuteWhenTheDeviceIsIdle() {
    secondsUntil(CACHE_BYTES);
    assertEquals(60, idleSecondsUntilItEnds());
    require(false, 1_000, CACHE_BYTES / 10);
  }

  /** Once only the pages that are read are loaded, a device may give little and be missed much. */
  public void testDoesNotEndWhileTheDeviceIsRead() {
    secondsUntil(CACHE_BYTES);
    require(true, 1_000, IDLE_BYTES + PERIOD_SECONDS);
    for (int i = 0; i < 100; i++) {
      require(true, 4, IDLE_BYTES);
      require(true, 1, IDLE_BYTES + PERIOD_SECONDS);
    }
    assertEquals("five checks in a row", 10, idleSecondsUntilItEnds());
  }

  public void testAfterEachEndThatFailsItWaitsLonger() {
    secondsUntil(CACHE_BYTES);
    for (int leastSeconds : new int[] {60, 120, 240, 480, 960, 1_800, 1_800, 1_800}) {
      assertEquals(leastSeconds, idleSecondsUntilItEnds());
      assertEquals("two checks tell", 4, secondsUntil(CACHE_BYTES));
    }
    idleSecondsUntilItEnds();
    assertFalse(after(1_800, 0));
    assertEquals("as the first time", 10, secondsUntil(CACHE_BYTES));
    assertEquals("all is forgotten", 60, idleSecondsUntilItEnds());
  }

  /** A reader that is opened half an hour later does not make the end one that failed. */
  public void testOnlyTheFirstMinuteAfterItsEndCounts() {
    secondsUntil(CACHE_BYTES);
    idleSecondsUntilItEnds();
    assertFalse(after(60, 0));
    require(false, 2, CACHE_BYTES);
    require(false, 1, 0);
  }

  public void testUnknownReadsAreNotGuessed() {
    require(false, 1, CACHE_BYTES / 10);
    for (int i = 0; i < 10; i++) {
      known = false;
      require(false, 1, 100 * CACHE_BYTES);
      known = true;
      require(false, 1, CACHE_BYTES);
      require(false, 1, 0);
    }
    assertEquals("no device was seen that gives more", 10, secondsUntil(CACHE_BYTES));
  }

  public void testAskingOftenCountsOnce() {
    for (int i = 0; i < 100; i++) {
      nanos += 5_000_000;
      reads += CACHE_BYTES;
      assertFalse(detector.check(CACHE_BYTES));
    }
  }
}
