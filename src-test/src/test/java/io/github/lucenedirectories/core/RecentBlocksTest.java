package io.github.lucenedirectories.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What a table costs where hardly any file is read by positions. */
public class RecentBlocksTest extends LuceneTestCase {
  private static final int TABLE_BYTES = 1 << 24;

  public void testTakesMemoryAsItIsUsed() {
    MemorySegment table = RecentBlocks.allocate(TABLE_BYTES);
    assertEquals(TABLE_BYTES, table.byteSize());
    assertEquals(0, table.get(ValueLayout.JAVA_BYTE, TABLE_BYTES - 1));
    assumeTrue("needs native access", NativeCalls.get().isPresent());
    NativeCalls calls = NativeCalls.get().orElseThrow();
    assertFalse(calls.isResident(table.asSlice(0, TABLE_BYTES / 2)).orElseThrow());
    MemorySegment page = table.asSlice(0, calls.pageBytes());
    page.fill((byte) 7);
    assertTrue(calls.isResident(page).orElseThrow());
  }
}
