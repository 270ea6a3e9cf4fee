// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;
import org.jspecify.annotations.Nullable;

/** What memory holds, counts and gives back, with native calls and without; its addresses. */
public class OffHeapMemoryTest extends LibraryTestCase {

  private static final long LIMIT_BYTES = 96L << 20;

  /** Files of all lengths come and go; each keeps its bytes, and nothing exceeds the limit. */
  public void testRandomFiles() throws IOException {
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(LIMIT_BYTES), reaper)) {
      List<Content> files = new ArrayList<>();
      int refused = 0;
      for (int i = 0; i < 400; i++) {
        if (files.isEmpty() || random().nextInt(5) > 1) {
          Content file = Content.write(memory, randomLength());
          if (file == null) {
            refused++;
          } else {
            files.add(file);
          }
        } else {
          files.remove(random().nextInt(files.size())).release();
        }
        // In this order: released memory may become free meanwhile, and must not count twice.
        long free = memory.residentFreeBytes();
        assertTrue(free + memory.usedBytes() <= LIMIT_BYTES);
        assertTrue(memory.peakBytes() <= LIMIT_BYTES);
      }
      for (Content file : files) {
        file.check();
        file.release();
      }
      reaper.drain();
      assertEquals(0, memory.usedBytes());
      assertTrue("the limit was never met", refused > 0);
    }
  }

  private static long randomLength() {
    return switch (random().nextInt(4)) {
      case 0 -> random().nextInt(1 << 12);
      case 1 -> random().nextInt(1 << 18);
      case 2 -> random().nextInt(1 << 22);
      default -> random().nextInt(1 << 25);
    };
  }

  public void testReleasedMemoryIsUsedAgain() throws IOException {
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(LIMIT_BYTES), reaper)) {
      assumeTrue("where memory is allocated the system keeps what is released", isNative());
      Content first = written(memory, 30 << 20);
      long peak = memory.peakBytes();
      first.release();
      reaper.drain();
      Content second = written(memory, 30 << 20);
      assertTrue(memory.peakBytes() < peak + (peak >> 1));
      second.release();
    }
  }

  /** A complete file takes no more than its pages; little of what is free stays resident. */
  public void testMemoryGoesBack() throws IOException {
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(LIMIT_BYTES), reaper)) {
      assumeTrue("where memory is allocated the system keeps what is released", isNative());
      Content odd = written(memory, (5 << 20) + 1);
      long page = NativeCalls.pageBytes();
      assertEquals((5 << 20) + page, memory.usedBytes());
      odd.release();
      reaper.drain();
      FileContents first = memory.allocate("file", 90 << 20);
      first.writable().fill((byte) 1);
      memory.release(first);
      reaper.drain();
      assertTrue(memory.residentFreeBytes() <= 64 << 20);
      FileContents second = memory.allocate("file", 90 << 20);
      assertEquals(0, second.writable().get(ValueLayout.JAVA_BYTE, (90 << 20) - 1));
      memory.release(second);
    }
  }

  /** The memory belongs to the file then: an output that is used wrongly must not touch it. */
  public void testSinkAfterItsEnd() throws IOException {
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(LIMIT_BYTES), reaper)) {
      MemorySink sink = memory.newSink("file", context());
      sink.append(new byte[100], 0, 100);
      FileContents sealed = sink.seal();
      // The pieces that it was copied from.
      reaper.drain();
      long used = memory.usedBytes();
      sink.discard();
      expectThrows(AlreadyClosedException.class, () -> sink.append(new byte[1], 0, 1));
      reaper.drain();
      assertEquals(used, memory.usedBytes());
      memory.release(sealed);
    }
  }

  /** What waits for the reaper must not make a file fail. */
  public void testLimitErrorIsNeverSpurious() throws IOException {
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(4 << 20), reaper)) {
      for (int i = 0; i < 200; i++) {
        written(memory, 700 << 10).release();
      }
    }
  }

  /** A write at the limit waits for the memory that the background thread is releasing. */
  public void testWriteWaitsForWhatIsBeingReleased() throws IOException {
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(4 << 20), reaper)) {
      Thread writer = Thread.currentThread();
      AtomicBoolean releasing = new AtomicBoolean();
      AtomicBoolean writing = new AtomicBoolean();
      memory.take("released", () -> memory.budget.take(4 << 20));
      reaper.retire(
          new CountedArena(
              LiveResource.MEMORY_BYTES,
              () -> {
                releasing.set(true);
                await(() -> writing.get() && writer.getState() != Thread.State.RUNNABLE);
                memory.budget.give(4 << 20);
              }));
      await(releasing::get);
      writing.set(true);
      written(memory, 700 << 10).release();
    }
  }

  public void testLimitErrorSaysWhatIsMissing() throws IOException {
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(1 << 20), reaper)) {
      IOException e = expectThrows(IOException.class, () -> memory.allocate("_7.fdt", 3 << 20));
      // Where there are huge pages, whole ones are taken.
      assertEquals(
          "memory limit reached: file=_7.fdt, neededBytes=N, freeBytes=1048576,"
              + " maxBytes=1048576: test; delete files or raise the limit",
          String.valueOf(e.getMessage())
              .replaceFirst("neededBytes=(3145728|4194304)", "neededBytes=N"));
      assertEquals(0, memory.usedBytes());
    }
  }

  /** What the system refuses is reported like the limit, and is not counted. */
  public void testSystemRefuses() throws IOException {
    long bytes = 1L << 46;
    MemoryOptions options = options(bytes);
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory =
            new AllocatedMemory(options, reaper, new MemoryBudget(bytes, null))) {
      IOException e =
          expectThrows(MemoryLimitException.class, () -> memory.allocate("_7.fdt", bytes));
      String message = "the system has no memory for a file: file=_7.fdt, neededBytes=" + bytes;
      assertTrue(e.toString(), String.valueOf(e.getMessage()).startsWith(message));
      assertEquals(0, memory.usedBytes());
    }
    try (Reaper reaper = new Reaper();
        OffHeapMemory memory = OffHeapMemory.open(options(1 << 20), reaper)) {
      assumeTrue("only reserved addresses run out", isNative());
      IOException e =
          expectThrows(MemoryLimitException.class, () -> memory.allocate("_7.fdt", bytes));
      String message = "no address space is left: file=_7.fdt, neededBytes=" + bytes;
      assertTrue(e.toString(), String.valueOf(e.getMessage()).startsWith(message));
    }
  }

  public void testBudget() {
    MemoryBudget budget = new MemoryBudget(10);
    assertEquals(0, budget.take(7));
    budget.give(7);
    assertEquals(0, budget.take(4));
    assertEquals(7, budget.peakBytes());
    assertEquals(1, budget.take(7));
    assertEquals(0, budget.take(6));
    assertEquals(10, budget.usedBytes());
  }

  private static boolean isNative() {
    return NativeCalls.get().isPresent();
  }

  private static Content written(OffHeapMemory memory, long length) throws IOException {
    return Objects.requireNonNull(Content.write(memory, length), "the limit was met");
  }

  private static MemoryOptions options(long maxBytes) {
    return new MemoryOptions("test", maxBytes, HugePages.TRY);
  }

  private static IOContext context() {
    return switch (random().nextInt(4)) {
      case 0 -> IOContext.flush(new FlushInfo(1, random().nextInt(1 << 26)));
      case 1 -> IOContext.merge(new MergeInfo(1, random().nextInt(1 << 26), false, -1));
      case 2 -> IOContext.flush(new FlushInfo(0, 0));
      default -> IOContext.DEFAULT;
    };
  }

  /** A file that repeats a block. */
  private record Content(OffHeapMemory memory, MemorySegment block, FileContents sealed) {
    /** Returns null if the limit was met. */
    static @Nullable Content write(OffHeapMemory memory, long length) throws IOException {
      byte[] block = randomBytes(1 + random().nextInt(1 << 16));
      MemorySink sink = memory.newSink("file", context());
      try {
        for (long done = 0; done < length; done += block.length) {
          sink.append(block, 0, (int) Math.min(block.length, length - done));
        }
        Content content = new Content(memory, MemorySegment.ofArray(block), sink.seal());
        assertEquals(length, content.sealed.length());
        content.check();
        return content;
      } catch (MemoryLimitException _) {
        sink.discard();
        return null;
      }
    }

    void check() throws IOException {
      MemorySegment bytes = sealed.chunks(Chunks.LARGEST_BYTES)[0];
      assertTrue(bytes.isReadOnly());
      for (long pos = 0; pos < sealed.length(); pos += block.byteSize()) {
        long n = Math.min(block.byteSize(), sealed.length() - pos);
        assertEquals(-1, MemorySegment.mismatch(bytes, pos, pos + n, block, 0, n));
      }
    }

    void release() throws IOException {
      check();
      memory.release(sealed);
    }
  }

  private static final int ADDRESSES = 512;

  public void testAddressRanges() {
    AddressRanges ranges = new AddressRanges();
    BitSet model = new BitSet();
    for (int i = 0; i < 20_000; i++) {
      int start = random().nextInt(ADDRESSES);
      int end = start + random().nextInt(ADDRESSES - start + 1);
      int overlap = model.get(start, end).cardinality();
      assertEquals(overlap, ranges.overlap(start, end));
      if (random().nextBoolean()) {
        ranges.remove(start, end);
        model.clear(start, end);
      } else if (overlap == 0) {
        ranges.add(start, end);
        model.set(start, end);
      }
      assertEquals(model.cardinality(), ranges.bytes());
      assertEquals(model.isEmpty(), ranges.isEmpty());
      if (!model.isEmpty()) {
        assertEquals(model.length(), ranges.lastEnd());
        assertEquals(model.previousClearBit(model.length() - 1) + 1, ranges.lastStart());
      }
      checkFirstFit(ranges, model);
    }
  }

  private static void checkFirstFit(AddressRanges ranges, BitSet model) {
    int length = 1 + random().nextInt(20);
    int alignment = 1 << random().nextInt(5);
    int from = random().nextInt(ADDRESSES);
    int to = from + random().nextInt(ADDRESSES - from + 1);
    long expected = AddressRanges.NONE;
    for (int at = (int) AddressRanges.roundUp(from, alignment);
        at + length <= to;
        at += alignment) {
      if (model.get(at, at + length).cardinality() == length) {
        expected = at;
        break;
      }
    }
    assertEquals(expected, ranges.firstFit(length, alignment, from, to));
  }
}
