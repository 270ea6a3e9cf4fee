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

  /** A period in which nothing is asked for but what the device gives. */
  private int after(int seconds, long deviceBytes) {
    return after(seconds, deviceBytes, deviceBytes);
  }

  private int after(int seconds, long askedBytes, long deviceBytes) {
    nanos += seconds * 1_000_000_000L;
    reads =
        new ProcessIoCounters(reads.askedBytes() + askedBytes, reads.deviceBytes() + deviceBytes);
    return detector.look(CACHE_BYTES);
  }

  /** Reads so much in each period until that many steps are asked for; how long that took. */
  private int secondsUntil(int steps, long bytesPerPeriod) {
    for (int seconds = PERIOD_SECONDS; seconds < 10_000; seconds += PERIOD_SECONDS) {
      if (after(PERIOD_SECONDS, bytesPerPeriod) == steps) {
        return seconds;
      }
    }
    throw new AssertionError("never " + steps);
  }

  /** Has all that is asked for in the cache until that many steps are asked for. */
  private int calmSecondsUntil(int steps) {
    for (int seconds = PERIOD_SECONDS; seconds < 10_000; seconds += PERIOD_SECONDS) {
      if (after(PERIOD_SECONDS, CACHE_BYTES, CACHE_BYTES / 17) == steps) {
        return seconds;
      }
    }
    throw new AssertionError("never " + steps);
  }

  private void requireStays(int steps, long bytesPerPeriod) {
    for (int i = 0; i < 1_000; i++) {
      assertEquals(steps, after(PERIOD_SECONDS, bytesPerPeriod));
    }
  }

  public void testFillingTheCacheOnceIsNoTurnover() {
    for (int i = 0; i < 10; i++) {
      assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES / 10));
    }
    requireStays(0, 0);
  }

  public void testBurstsAreNoTurnover() {
    for (int i = 0; i < 100; i++) {
      for (int look = 0; look < 4; look++) {
        assertEquals(0, after(PERIOD_SECONDS, 5 * CACHE_BYTES));
      }
      for (int look = 0; look < 4; look++) {
        assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES));
      }
    }
  }

  public void testAPauseDoesNotHideIt() {
    for (int look = 0; look < 4; look++) {
      assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES));
    }
    assertEquals(0, after(PERIOD_SECONDS, 0));
    assertEquals(2 * PERIOD_SECONDS, secondsUntil(1, CACHE_BYTES));
  }

  public void testFiveLooksTellWhereTheDeviceIsFast() {
    assertEquals(10, secondsUntil(1, CACHE_BYTES));
    assertEquals("if that does not help", 10, secondsUntil(2, CACHE_BYTES));
    requireStays(2, CACHE_BYTES);
  }

  public void testWaitsForAWholeCacheWhereTheDeviceIsSlow() {
    assertEquals(17 * PERIOD_SECONDS, secondsUntil(1, CACHE_BYTES / 16));
  }

  public void testADeviceThatGivesLittleIsNotBusy() {
    requireStays(0, 49_000_000);
    assertEquals(20 * PERIOD_SECONDS, secondsUntil(1, 51_000_000));
  }

  public void testADeviceThatCouldGiveMuchMoreIsNotBusy() {
    after(PERIOD_SECONDS, CACHE_BYTES);
    requireStays(0, CACHE_BYTES / 5);
  }

  public void testTriesLessAfterAMinute() {
    secondsUntil(1, CACHE_BYTES);
    assertEquals(60, calmSecondsUntil(0));
    requireStays(0, CACHE_BYTES / 10);
  }

  public void testTriesLessStepByStep() {
    secondsUntil(2, CACHE_BYTES);
    assertEquals(60, calmSecondsUntil(1));
    assertEquals(60, calmSecondsUntil(0));
  }

  /** A device that could give much more is no sign that a mapping would do. */
  public void testDoesNotTryWhileMuchIsMissing() {
    secondsUntil(2, CACHE_BYTES);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(2, after(PERIOD_SECONDS, CACHE_BYTES / 100, CACHE_BYTES / 1_500));
    }
    for (int look = 0; look < 4; look++) {
      assertEquals(2, after(PERIOD_SECONDS, CACHE_BYTES, 0));
    }
    assertEquals("one look is enough", 2, after(PERIOD_SECONDS, CACHE_BYTES, CACHE_BYTES / 15));
    assertEquals(10, calmSecondsUntil(1));
  }

  /** Who asks for nothing cannot know what is there. */
  public void testDoesNotTryWhileNothingIsAskedFor() {
    secondsUntil(1, CACHE_BYTES);
    requireStays(1, 0);
    for (int look = 0; look < 1_000; look++) {
      assertEquals(1, after(PERIOD_SECONDS, 999_999, 0));
    }
    assertEquals(10, calmSecondsUntil(0));
  }

  public void testAPauseDoesNotEndTheCalm() {
    secondsUntil(1, CACHE_BYTES);
    for (int i = 0; i < 30; i++) {
      assertEquals(1, after(PERIOD_SECONDS, 0));
    }
    for (int look = 0; look < 4; look++) {
      assertEquals(1, after(PERIOD_SECONDS, CACHE_BYTES, 0));
      assertEquals(1, after(PERIOD_SECONDS, 999_999));
    }
    assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES, 0));
  }

  public void testAfterEachTryThatFailsItWaitsLonger() {
    secondsUntil(1, CACHE_BYTES);
    for (int patience : new int[] {60, 120, 240, 480, 960, 1_800, 1_800, 1_800}) {
      assertEquals(patience, calmSecondsUntil(0));
      assertEquals("a try is short", 4, secondsUntil(1, CACHE_BYTES));
    }
    calmSecondsUntil(0);
    assertEquals(0, after(1_800, 0));
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
    assertEquals(0, after(60, 0));
    assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES));
    assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES));
    assertEquals(0, after(PERIOD_SECONDS, 0));
  }

  public void testWhatIsNotToldIsNotGuessed() {
    assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES / 10));
    for (int i = 0; i < 10; i++) {
      known = false;
      assertEquals(0, after(PERIOD_SECONDS, 100 * CACHE_BYTES));
      known = true;
      assertEquals(0, after(PERIOD_SECONDS, CACHE_BYTES));
      assertEquals(0, after(PERIOD_SECONDS, 0));
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
