package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.testkit.LibraryTestCase;

/** When reads count as reads from memory. */
public class LatencyProbeTest extends LibraryTestCase {

  private static final long FAST_NANOS = 2_000;
  private static final long SLOW_NANOS = 50_000;

  /** The pace must be that of memory after so many fast reads. */
  private static final int ROW = 64;

  private final LatencyProbe pace = new LatencyProbe();

  /** A file counts as one of the device until a long row of reads was fast. */
  public void testRowOfFastReads() {
    fast(ROW - 1);
    assertFalse(pace.fromMemory());
    fast(1);
    assertTrue(pace.fromMemory());
  }

  /** One slow read is enough, and the row begins again. */
  public void testSlowRead() {
    fast(random().nextInt(ROW, 10 * ROW));
    pace.note(SLOW_NANOS, 1_024);
    assertFalse(pace.fromMemory());
    fast(ROW - 1);
    assertFalse(pace.fromMemory());
  }

  /** A long read may take the time that copying its bytes takes. */
  public void testLongReads() {
    int bytes = 1 << 20;
    for (int i = 0; i < ROW; i++) {
      pace.note(SLOW_NANOS + bytes / 8, bytes);
    }
    assertTrue(pace.fromMemory());
    pace.note(SLOW_NANOS + bytes / 2, bytes);
    assertFalse(pace.fromMemory());
  }

  /** Reads of a scan are timed wherever they begin, and one in eight of those that jump. */
  public void testWhichReadsAreTimed() {
    int timed = 0;
    for (int i = 0; i < 1_000; i++) {
      long pos = random().nextLong(1L << 40);
      assertNotEquals(0, pace.begin(pos, 1 << 13));
      timed += pace.begin(pos, 1_024) == 0 ? 0 : 1;
    }
    assertTrue("" + timed, timed > 60 && timed < 250);
  }

  private void fast(int reads) {
    for (int i = 0; i < reads; i++) {
      pace.note(FAST_NANOS, 1_024);
    }
  }
}
