// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.pmem.LogEntry.Put;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Logs of a few words: each is used to its last one, and no further. */
public class MetadataLogTest extends LibraryTestCase {

  private static final int MOST_LOG_WORDS = 100;
  private static final byte BEHIND = (byte) 0xA5;

  public void testLogsAreUsedToTheEnd() throws IOException {
    for (int round = 0; round < 100; round++) {
      long logBytes = random().nextInt(4, MOST_LOG_WORDS) * (long) Long.BYTES;
      UUID uuid = new UUID(random().nextLong(), random().nextLong());
      int end = (int) Layout.extentsAt(0, logBytes);
      Superblock superblock = new Superblock(0, uuid, end + Layout.PAGE_BYTES, logBytes);
      byte[] head = new byte[end + Layout.PAGE_BYTES];
      Arrays.fill(head, end, head.length, BEHIND);
      SimulatedPool pool =
          new SimulatedPool(SimulatedDevice.ofAnySize(random(), 0), superblock.poolBytes(), head);
      pool.writeWord(Layout.logAt(0, logBytes), MetadataLog.firstHeader(uuid));
      for (int i = 0; i < 50; i++) {
        change(pool, superblock);
        for (int at = end; at < head.length; at++) {
          assertEquals("behind the logs", BEHIND, pool.bytes().get(ValueLayout.JAVA_BYTE, at));
        }
      }
    }
  }

  /** Appends a change or rewrites the log, and looks at what the next one finds. */
  private static void change(SimulatedPool pool, Superblock superblock) throws IOException {
    List<LogEntry> found = new ArrayList<>();
    MetadataLog log = new MetadataLog(pool, "test", superblock, found::add);
    long used = log.usedBytes();
    List<LogEntry> entry = List.of(new Put("x".repeat(random().nextInt(1, 150)), List.of()));
    // As if the change made all before superfluous.
    long appended = used + recordBytes(entry);
    long compacted = Layout.LOG_HEADER_BYTES + recordBytes(entry);
    boolean compacts = random().nextInt(8) == 0;
    try {
      if (compacts) {
        log.compact(entry);
      } else {
        log.append(entry, () -> entry);
      }
      assertTrue(compacted + Long.BYTES <= superblock.logBytes());
      if (compacts || appended + Long.BYTES > superblock.logBytes()) {
        found.clear();
        assertEquals(compacted, log.usedBytes());
      } else {
        assertEquals(appended, log.usedBytes());
      }
      found.addAll(entry);
    } catch (LogFullException e) {
      assertTrue(compacted + Long.BYTES > superblock.logBytes());
      assertEquals(used, log.usedBytes());
    }
    List<LogEntry> now = new ArrayList<>();
    assertEquals(log.usedBytes(), new MetadataLog(pool, "test", superblock, now::add).usedBytes());
    assertEquals(found, now);
  }

  private static long recordBytes(List<LogEntry> entries) {
    return Layout.RECORD_HEADER_BYTES + (long) LogEntry.encode(entries).length;
  }
}
