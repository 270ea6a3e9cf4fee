// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variants;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a limit means, and what fits into it. */
class MemoryTest {
  private static final long MEBIBYTE = 1 << 20;

  private static long bytes(String text) {
    return Memory.bytes("--limit", text, 1000 * MEBIBYTE, 7);
  }

  private static Memory memory(long limit, long heap, long index) {
    return new Memory(limit * MEBIBYTE, heap, index * MEBIBYTE);
  }

  @Test
  void sizesAndShares() {
    assertEquals(7, Memory.bytes("--limit", null, 1000, 7));
    assertEquals(700 * MEBIBYTE, bytes("700m"));
    assertEquals(1024 * MEBIBYTE, bytes("1G"));
    assertEquals(2048, bytes("2k"));
    assertEquals(512, bytes("512"));
    assertEquals(2048 * MEBIBYTE, bytes("2g"));
    assertEquals(500 * MEBIBYTE, bytes("50%"));
    assertEquals(125 * MEBIBYTE, bytes("12.5%"));
    for (String wrong :
        new String[] {"", "0", "0k", "-1m", "1.5g", "12kb", "1t", "m", "50 %", "999999999999g"}) {
      assertThrows(UsageException.class, () -> bytes(wrong), wrong);
    }
  }

  @Test
  void whatTheUserNeedNotName() {
    assertEquals(memory(500, 100, 1000), of("half", 1000, "half"));
    assertEquals(memory(224, 96, 34), of("half", 34, "half"));
    assertEquals(512, of("none", 1000, "none", "4g").heapMegabytes());
  }

  /** The heap is a fifth of all, the JVM takes 88 MiB, and the rest is the page cache. */
  @Test
  void roomOfThePageCache() {
    assertEquals(memory(354, 96, 1000), Memory.ofPageCache("17%", null, 1000 * MEBIBYTE));
    assertEquals(memory(232, 64, 1000), Memory.ofPageCache("8%", "64m", 1000 * MEBIBYTE));
    assertEquals(memory(1000, 200, 8900), Memory.ofPageCache("8%", null, 8900 * MEBIBYTE));
    assertEquals(memory(5720, 512, 10240), Memory.ofPageCache("50%", null, 10240 * MEBIBYTE));
    assertTrue(Memory.ofPageCache("100%", null, 1000 * MEBIBYTE).isAmple());
    assertFalse(Memory.ofPageCache("999m", null, 1000 * MEBIBYTE).isAmple());
    assertTrue(memory(354, 96, 1000).flags().flags().contains("-XX:+AlwaysPreTouch"));
  }

  private static Memory of(String limit, long index, String... all) {
    return Memory.of(limit, List.of(all), null, index * MEBIBYTE);
  }

  @Test
  void tooLittleAndTooMuchAreRefused() {
    Memory least = memory(184, 96, 500);
    least.check(184 * MEBIBYTE);
    assertThrows(UsageException.class, () -> least.check(184 * MEBIBYTE - 1));
    assertEquals(
        "a heap of 96 MiB and the JVM need at least 184.0 MiB of memory, and there are 183.0 MiB:"
            + " give a larger --limit or a larger index",
        assertThrows(UsageException.class, () -> memory(183, 96, 500).check(Long.MAX_VALUE))
            .getMessage());
  }

  private static Variant variant(String name) {
    return Variants.named(name, Variant.Use.SEARCH);
  }

  @Test
  void directoriesInMemoryNeedRoom() {
    Memory memory = memory(400, 140, 100);
    assertTrue(memory.hasRoomFor(variant("MMapDirectory")));
    assertTrue(memory.hasRoomFor(variant("RamDirectory")));
    assertFalse(memory.hasRoomFor(variant("ByteBuffersDirectory")));
    assertTrue(memory(400, 190, 100).hasRoomFor(variant("ByteBuffersDirectory")));
    assertFalse(memory(300, 140, 100).hasRoomFor(variant("PmemDirectory")));
    Variant half = variant("BlockCacheDirectory-4KiB-50%");
    assertTrue(memory(300, 140, 100).hasRoomFor(half));
    assertFalse(memory(300, 140, 200).hasRoomFor(half));
    assertTrue(memory(300, 140, 72).isAmple());
    assertFalse(memory(300, 140, 73).isAmple());
  }
}
