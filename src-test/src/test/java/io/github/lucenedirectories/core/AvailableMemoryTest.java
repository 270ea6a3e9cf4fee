package io.github.lucenedirectories.core;

import org.apache.lucene.tests.util.LuceneTestCase;

/** The limit that holds unless somebody sets one. */
public class AvailableMemoryTest extends LuceneTestCase {

  public void testLeavesRoomForTheHeapAndMore() {
    assertEquals(5L << 30, AvailableMemory.limitBytes(8L << 30, 2L << 30));
  }

  public void testIsNeverUnlimited() {
    long limit = AvailableMemory.defaultLimitBytes();
    assertTrue(limit >= 64 << 20);
    assertTrue(limit < 1L << 50);
  }

  public void testIsAtLeastAUsefulAmount() {
    assertEquals(64 << 20, AvailableMemory.limitBytes(1L << 30, 2L << 30));
  }
}
