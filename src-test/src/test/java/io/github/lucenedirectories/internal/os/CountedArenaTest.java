package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/** What an arena counts, and when it is closed. */
public class CountedArenaTest extends LibraryTestCase {

  public void testSecondCloseChangesNothing() {
    AtomicInteger closed = new AtomicInteger();
    long before = LiveResource.MEMORY_BYTES.amount();
    CountedArena arena = new CountedArena(LiveResource.MEMORY_BYTES, closed::incrementAndGet);
    MemorySegment bytes = arena.allocate(1 + random().nextInt(100), 1);
    arena.addBytes(7);
    assertEquals(before + bytes.byteSize() + 7, LiveResource.MEMORY_BYTES.amount());
    assertEquals(0, closed.get());
    arena.close();
    expectThrows(IllegalStateException.class, arena::close);
    expectThrows(IllegalStateException.class, () -> bytes.get(ValueLayout.JAVA_BYTE, 0));
    assertEquals(1, closed.get());
  }
}
