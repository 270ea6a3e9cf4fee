package io.github.lucenedirectories.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What a table costs where hardly any file is read by positions. */
public class RecentBlocksTest extends LuceneTestCase {
  private static final int TABLE_BYTES = 1 << 24;

  public void testTakesMemoryAsItIsUsed() {
    assumeTrue("needs native access", NativeCalls.get().isPresent());
    NativeCalls calls = NativeCalls.get().orElseThrow();
    MemorySegment table = RecentBlocks.allocate(TABLE_BYTES);
    try {
      assertEquals(TABLE_BYTES, table.byteSize());
      long pages = TABLE_BYTES / calls.pageBytes();
      for (int i = 0; i < 20; i++) {
        assertFalse(isResident(calls, table, random().nextLong(pages)));
      }
      long used = random().nextLong(pages);
      assertEquals(0, table.get(ValueLayout.JAVA_BYTE, used * calls.pageBytes()));
      table.set(ValueLayout.JAVA_BYTE, used * calls.pageBytes(), (byte) 7);
      assertTrue(isResident(calls, table, used));
    } finally {
      calls.release(table.address(), TABLE_BYTES);
    }
  }

  private static boolean isResident(NativeCalls calls, MemorySegment table, long page) {
    MemorySegment bytes = table.asSlice(page * calls.pageBytes(), calls.pageBytes());
    return calls.isResident(bytes).orElseThrow();
  }
}
