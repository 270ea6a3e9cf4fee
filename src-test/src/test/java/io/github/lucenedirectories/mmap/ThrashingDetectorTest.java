package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.Optional;

/** When the page cache counts as replaced again and again. */
public class ThrashingDetectorTest extends LibraryTestCase {

  private static final long CACHE_BYTES = 1_000_000_000;
  private static final int PERIOD_SECONDS = 2;

  private long nanos = random().nextLong();
  private ProcessIoCounters reads =
      new ProcessIoCounters(random().nextLong(1L << 50), random().nextLong(1L << 50));
  private boolean known = true;
  private final ThrashingDetector detector =
      new ThrashingDetector(() -> known ? Optional.of(reads) : Optional.empty(), () -> nanos);

  /** What is asked for after a period, whose bytes were asked for and read from the device. */
  private int after(int seconds, long askedBytes, long deviceBytes) {
    nanos += seconds * 1_000_000_000L;
    reads =
        new ProcessIoCounters(reads.askedBytes() + askedBytes, reads.deviceBytes() + deviceBytes);
    return detector.look(CACHE_BYTES);
  }

  /** Reads so much in each period until that many steps are asked for; how long that took. */
  private int secondsUntil(int steps, long bytesPerPeriod) {
    return secondsUntil(steps, bytesPerPeriod, bytesPerPeriod);
  }

  /** Has all that is asked for in the cache until that many steps are asked for. */
  private int calmSecondsUntil(int steps) {
    return secondsUntil(steps, CACHE_BYTES, CACHE_BYTES / 17);
  }

  private int secondsUntil(int steps, long askedBytes, long deviceBytes) {
    for (int seconds = PERIOD_SECONDS; seconds < 10_000; seconds += PERIOD_SECONDS) {
      if (after(PERIOD_SECONDS, askedBytes, deviceBytes) == steps) {
        return seconds;
      }
    }
    throw new AssertionError("never " + steps);
  }

  private void require(int steps, int periods, long askedBytes, long deviceBytes) {
    for (int i = 0; i < periods; i++) {
      assertEquals(steps, after(PERIOD_SECONDS, askedBytes, deviceBytes));
    }
  }

  private void require(int steps, int periods, long bytes) {
    require(steps, periods, bytes, bytes);
  }

  public void testFillingTheCacheOnceAndBurstsAreNoTurnover() {
    require(0, 10, CACHE_BYTES / 10);
    require(0, 1_000, 0);
    for (int i = 0; i < 100; i++) {
      require(0, 4, 5 * CACHE_BYTES);
      require(0, 4, CACHE_BYTES);
    }
  }

  public void testPauseDoesNotHideIt() {
    require(0, 4, CACHE_BYTES);
    require(0, 1, 0);
    assertEquals(2 * PERIOD_SECONDS, secondsUntil(1, CACHE_BYTES));
  }

  public void testFastDevice() {
    assertEquals("five looks tell", 10, secondsUntil(1, CACHE_BYTES));
    assertEquals("if that does not help", 10, secondsUntil(2, CACHE_BYTES));
    require(2, 1_000, CACHE_BYTES);
  }

  public void testSlowDevice() {
    // It waits for a whole cache.
    assertEquals(17 * PERIOD_SECONDS, secondsUntil(1, CACHE_BYTES / 16));
  }

  public void testIdleDevice() {
    require(0, 1_000, 49_000_000);
    assertEquals(20 * PERIOD_SECONDS, secondsUntil(1, 51_000_000));
  }

  public void testDeviceThatCouldGiveMore() {
    after(PERIOD_SECONDS, CACHE_BYTES, CACHE_BYTES);
    require(0, 1_000, CACHE_BYTES / 5);
  }

  public void testTriesLessStepByStepAfterAMinute() {
    secondsUntil(2, CACHE_BYTES);
    assertEquals(60, calmSecondsUntil(1));
    assertEquals(60, calmSecondsUntil(0));
    require(0, 1_000, CACHE_BYTES / 10);
  }

  /** A device that could give much more is no sign that a mapping would do. */
  public void testDoesNotTryWhileMuchIsMissing() {
    secondsUntil(2, CACHE_BYTES);
    require(2, 1_000, CACHE_BYTES / 100, CACHE_BYTES / 1_500);
    require(2, 4, CACHE_BYTES, 0);
    // One look is enough.
    require(2, 1, CACHE_BYTES, CACHE_BYTES / 15);
    assertEquals(10, calmSecondsUntil(1));
  }

  /** Without a read it cannot know what is in the cache. */
  public void testDoesNotTryWhileNothingIsAskedFor() {
    secondsUntil(1, CACHE_BYTES);
    require(1, 1_000, 0);
    require(1, 1_000, 999_999, 0);
    assertEquals(10, calmSecondsUntil(0));
  }

  public void testPauseDoesNotEndTheCalm() {
    secondsUntil(1, CACHE_BYTES);
    require(1, 30, 0);
    for (int look = 0; look < 4; look++) {
      require(1, 1, CACHE_BYTES, 0);
      require(1, 1, 999_999);
    }
    require(0, 1, CACHE_BYTES, 0);
  }

  public void testAfterEachTryThatFailsItWaitsLonger() {
    secondsUntil(1, CACHE_BYTES);
    for (int patience : new int[] {60, 120, 240, 480, 960, 1_800, 1_800, 1_800}) {
      assertEquals(patience, calmSecondsUntil(0));
      assertEquals("a try is short", 4, secondsUntil(1, CACHE_BYTES));
    }
    calmSecondsUntil(0);
    assertEquals(0, after(1_800, 0, 0));
    assertEquals("no try any more", 10, secondsUntil(1, CACHE_BYTES));
    assertEquals("all is forgotten", 60, calmSecondsUntil(0));
  }

  /** A reader that is opened half an hour later is no try that failed. */
  public void testATryEnds() {
    secondsUntil(1, CACHE_BYTES);
    for (int i = 0; i < 5; i++) {
      calmSecondsUntil(0);
      secondsUntil(1, CACHE_BYTES);
    }
    calmSecondsUntil(0);
    assertEquals(0, after(60, 0, 0));
    require(0, 2, CACHE_BYTES);
    require(0, 1, 0);
  }

  public void testUnknownReadsAreNotGuessed() {
    require(0, 1, CACHE_BYTES / 10);
    for (int i = 0; i < 10; i++) {
      known = false;
      require(0, 1, 100 * CACHE_BYTES);
      known = true;
      require(0, 1, CACHE_BYTES);
      require(0, 1, 0);
    }
    assertEquals("no device was seen that gives more", 10, secondsUntil(1, CACHE_BYTES));
  }

  public void testAskingOftenCountsOnce() {
    for (int i = 0; i < 100; i++) {
      nanos += 5_000_000;
      reads = new ProcessIoCounters(reads.askedBytes(), reads.deviceBytes() + CACHE_BYTES);
      assertEquals(0, detector.look(CACHE_BYTES));
    }
  }
}
