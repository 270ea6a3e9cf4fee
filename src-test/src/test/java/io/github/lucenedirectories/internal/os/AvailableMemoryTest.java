package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The limit that holds unless somebody sets one. */
public class AvailableMemoryTest extends LibraryTestCase {

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

  public void testWhatLinuxSays() throws IOException {
    Path facts = createTempFile();
    Files.writeString(facts, "MemTotal:  9999 kB\nMemAvailable:    2048 kB\n");
    assertEquals(2 << 20, AvailableMemory.availableOnMachine(facts));
    for (String unknown : new String[] {"MemTotal:  9999 kB\n", "MemAvailable: many\n"}) {
      Files.writeString(facts, unknown);
      assertTrue(AvailableMemory.availableOnMachine(facts) > 1L << 60);
    }
  }

  public void testFilesInMemoryLeaveLessToThePageCache() {
    LiveResource.MEMORY_BYTES.add(1L << 50);
    try {
      assertEquals(0, AvailableMemory.pageCacheBytes());
    } finally {
      LiveResource.MEMORY_BYTES.add(-(1L << 50));
    }
  }
}
