package io.github.lucenedirectories.mmap;

import java.util.OptionalLong;
import org.apache.lucene.tests.util.LuceneTestCase;

/** When the page cache counts as replaced again and again. */
public class CacheTurnoverTest extends LuceneTestCase {

  private static final long CACHE_BYTES = 1_000_000_000;
  private static final int PERIOD_SECONDS = 2;

  private long nanos = random().nextLong();
  private long readBytes = random().nextLong(1L << 50);
  private boolean known = true;
  private final CacheTurnover turnover =
      new CacheTurnover(
          () -> known ? OptionalLong.of(readBytes) : OptionalLong.empty(), () -> nanos);

  private int after(int seconds, long bytes) {
    nanos += seconds * 1_000_000_000L;
    readBytes += bytes;
    return turnover.look(CACHE_BYTES);
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
    assertEquals(60, secondsUntil(0, CACHE_BYTES / 10));
    requireStays(0, CACHE_BYTES / 10);
  }

  public void testTriesLessStepByStep() {
    secondsUntil(2, CACHE_BYTES);
    assertEquals(60, secondsUntil(1, 0));
    assertEquals(60, secondsUntil(0, 0));
  }

  public void testDoesNotTryWhileTheDeviceIsBusy() {
    secondsUntil(2, CACHE_BYTES);
    requireStays(2, CACHE_BYTES);
    assertEquals(1, after(PERIOD_SECONDS, 0));
  }

  public void testAfterEachTryThatFailsItWaitsLonger() {
    secondsUntil(1, CACHE_BYTES);
    for (int patience : new int[] {60, 120, 240, 480, 960, 1_800, 1_800, 1_800}) {
      assertEquals(patience, secondsUntil(0, CACHE_BYTES / 10));
      assertEquals("a try is short", 4, secondsUntil(1, CACHE_BYTES));
    }
    secondsUntil(0, 0);
    assertEquals(0, after(1_800, 0));
    assertEquals("no try any more", 10, secondsUntil(1, CACHE_BYTES));
    assertEquals("all is forgotten", 60, secondsUntil(0, 0));
  }

  /** A reader that is opened half an hour later is no try that failed. */
  public void testATryEnds() {
    secondsUntil(1, CACHE_BYTES);
    for (int i = 0; i < 5; i++) {
      secondsUntil(0, 0);
      secondsUntil(1, CACHE_BYTES);
    }
    secondsUntil(0, 0);
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
      readBytes += CACHE_BYTES;
      assertEquals(0, turnover.look(CACHE_BYTES));
    }
  }
}
