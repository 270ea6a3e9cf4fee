// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What an input over memory asks of {@link Residency}, and that it releases its file once. */
public class SegmentIndexInputTest extends LibraryTestCase {

  private static final int CHUNK_BYTES = 16;
  private static final int PAGE = 4096;
  private static final int RACES = 2_000;

  private final AtomicInteger releases = new AtomicInteger();

  /**
   * Notes the lengths of the ranges that are prefetched, says of each whether it is loaded, and
   * notes the pages of which an input says that it used them.
   */
  private static final class Asked implements Residency {
    private final List<Long> lengths = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();
    private final Set<Long> pages = new TreeSet<>();
    private boolean isRandom;
    private FileKind kind = FileKind.OTHER;
    private boolean fails;
    private final List<Optional<Boolean>> answers = new ArrayList<>();

    @Override
    public void prefetch(MemorySegment range) {
      if (fails) {
        throw new IndexOutOfBoundsException("of the test");
      }
      lengths.add(range.byteSize());
      starts.add(range.address());
    }

    @Override
    public boolean isRandom(FileKind part) {
      return isRandom && part == kind;
    }

    @Override
    public void used(MemorySegment chunk, long from, long to) {
      assertTrue(from + " to " + to, from < to);
      Objects.checkFromToIndex(from, to, chunk.byteSize());
      long address = chunk.address();
      for (long page = (address + from) / PAGE; page <= (address + to - 1) / PAGE; page++) {
        pages.add(page);
      }
    }

    @Override
    public void advise(MemorySegment range, String name, IOContext context) {}

    @Override
    public Optional<Boolean> isLoaded(MemorySegment range) {
      return answers.removeFirst();
    }
  }

  private static SegmentIndexInput open(int length, Residency residency, Closeable owner) {
    MemorySegment bytes = MemorySegment.ofArray(randomBytes(length));
    return SegmentIndexInput.open(
        "in memory", Chunks.of(bytes, CHUNK_BYTES), CHUNK_BYTES, residency, owner);
  }

  private static SegmentIndexInput openWhole(MemorySegment bytes, Residency residency) {
    return SegmentIndexInput.open(
        "in memory", new MemorySegment[] {bytes}, 1 << 30, residency, () -> {});
  }

  private SegmentIndexInput open(int length) {
    return open(length, Residency.RESIDENT, releases::incrementAndGet);
  }

  public void testPrefetchedRanges() throws IOException {
    Asked asked = new Asked();
    int length = 1 + random().nextInt(5 * CHUNK_BYTES);
    try (SegmentIndexInput in = open(length, asked, () -> {})) {
      int from = random().nextInt(length);
      int bytes = 1 + random().nextInt(length - from);
      in.prefetch(from, bytes);
      assertEquals(bytes, asked.lengths.stream().mapToLong(n -> n).sum());
    }
  }

  /** What follows a run is prefetched once and in order, and at least 8 KiB before it is read. */
  public void testRunsAreReadAhead() throws IOException {
    Asked asked = new Asked();
    asked.isRandom = true;
    int length = (1 << 20) + random().nextInt(1 << 20);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(length);
      SegmentIndexInput original = openWhole(bytes, asked);
      for (IndexInput in : List.of(original.clone(), original.slice("all of it", 0, length))) {
        asked.starts.clear();
        asked.lengths.clear();
        long start = random().nextInt(length / 2);
        in.seek(start);
        while (in.getFilePointer() < length) {
          step(in, 1 + random().nextInt(4_000), length);
          int n = asked.starts.size();
          long end =
              n == 0 ? 0 : asked.starts.getLast() + asked.lengths.getLast() - bytes.address();
          long done = in.getFilePointer();
          assertTrue("read ahead", done < start + 40_000 || end >= Math.min(length, done + 4_000));
          assertTrue("not too far", end <= done + (256 << 10));
        }
        assertTrue(asked.starts.getFirst() >= bytes.address() + Math.min(start, 16_384));
        for (int i = 1; i < asked.starts.size(); i++) {
          assertTrue(asked.starts.get(i) >= asked.starts.get(i - 1) + asked.lengths.get(i - 1));
          assertTrue(asked.lengths.get(i) <= 128 << 10);
        }
      }
      original.close();
    }
  }

  private static void step(IndexInput in, int bytes, long length) throws IOException {
    int n = (int) Math.min(bytes, length - in.getFilePointer());
    switch (random().nextInt(3)) {
      case 0 -> in.seek(in.getFilePointer() + n);
      case 1 -> in.readInts(new int[n / 4 + 1], 0, n / 4);
      default -> in.readBytes(new byte[n], 0, n);
    }
    if (length - in.getFilePointer() < 4) {
      in.seek(length);
    }
  }

  /** What fails when a run is read ahead is not taken for a read past the end, and done again. */
  public void testFailedReadAhead() throws IOException {
    Asked asked = new Asked();
    asked.isRandom = true;
    asked.fails = true;
    int bytes = 4 * random().nextInt(1 << 12, 1 << 13);
    try (Arena arena = Arena.ofConfined();
        SegmentIndexInput in = openWhole(arena.allocate(1 << 17), asked)) {
      IndexInput clone = in.clone();
      expectThrows(IndexOutOfBoundsException.class, () -> in.readBytes(new byte[bytes], 0, bytes));
      expectThrows(
          IndexOutOfBoundsException.class, () -> clone.readInts(new int[bytes], 0, bytes / 4));
      assertEquals(bytes, in.getFilePointer());
      assertEquals(bytes, clone.getFilePointer());
    }
  }

  /** Nothing is prefetched for jumps, nor where the kernel reads ahead by itself. */
  public void testJumpsAreNotReadAhead() throws IOException {
    for (boolean jumps : new boolean[] {false, true}) {
      Asked asked = new Asked();
      asked.isRandom = jumps;
      try (Arena arena = Arena.ofConfined();
          SegmentIndexInput in = openWhole(arena.allocate(1 << 21), asked)) {
        long pos = 0;
        while ((pos += (jumps ? 36_000 : 0) + random().nextInt(8_000)) < 2_000_000) {
          in.seek(pos);
          in.readBytes(new byte[100], 0, 100);
        }
        assertEquals(List.of(), asked.starts);
      }
    }
  }

  /**
   * A stored document: the head of its chunk, then a block further on. Neither such a step nor a
   * step back is part of a run.
   */
  public void testStoredDocumentIsNoRun() throws IOException {
    Asked asked = new Asked();
    asked.isRandom = true;
    try (Arena arena = Arena.ofConfined();
        SegmentIndexInput in = openWhole(arena.allocate(1 << 21), asked)) {
      for (int i = 0; i < 100; i++) {
        long head = random().nextInt(2_000_000);
        in.seek(head);
        in.readBytes(new byte[3_000], 0, 3_000);
        in.skipBytes(5_000 + random().nextInt(30_000));
        in.readBytes(new byte[8_000], 0, 8_000);
        in.seek(head);
        in.readBytes(new byte[8_000], 0, 8_000);
      }
      assertEquals(List.of(), asked.starts);
    }
  }

  /** Each page that was read is shown, by the next seek at the latest; what is not read is not. */
  public void testShowsPages() throws IOException {
    Asked asked = new Asked();
    asked.isRandom = true;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(1 << 20, PAGE);
      long first = bytes.address() / PAGE;
      SegmentIndexInput in = openWhole(bytes, asked);
      in.seek(7 * PAGE - 1);
      in.seek(3 * PAGE - 1);
      requirePages(asked);
      in.readShort();
      requirePages(asked);
      in.seek(20 * PAGE);
      requirePages(asked, first + 2, first + 3);
      in.readBytes(new byte[10], 0, 10);
      in.readInts(new int[10], 0, 10);
      in.seek(20 * PAGE + 2_000);
      in.readBytes(new byte[10], 0, 10);
      requirePages(asked);
      in.readFloats(new float[2 * PAGE / 4], 0, 2 * PAGE / 4);
      requirePages(asked, first + 20, first + 21, first + 22);
      in.readLongs(new long[PAGE / 8], 0, PAGE / 8);
      requirePages(asked, first + 22, first + 23);
      in.readInts(new int[PAGE / 4], 0, PAGE / 4);
      requirePages(asked, first + 23, first + 24);
      in.seek(30 * PAGE + 100);
      requirePages(asked);
      in.seek(30 * PAGE);
      in.readByte();
      in.seek(0);
      requirePages(asked, first + 30);
      in.close();
      expectThrows(AlreadyClosedException.class, () -> in.seek(1));
    }
  }

  private static void requirePages(Asked asked, Long... pages) {
    assertEquals(Set.of(pages), asked.pages);
    asked.pages.clear();
  }

  /** The kind of a part decides, for its slices and clones too. */
  public void testShowsPagesOfParts() throws IOException {
    Asked asked = new Asked();
    asked.isRandom = true;
    asked.kind = FileKind.POSTINGS;
    try (Arena arena = Arena.ofConfined();
        SegmentIndexInput in = openWhole(arena.allocate(6 * PAGE), asked)) {
      for (String part : List.of("_0.doc", "_0.tim")) {
        SegmentIndexInput slice = in.slice(part, 10, 5 * PAGE, IOContext.DEFAULT);
        for (IndexInput one : List.of(slice, slice.clone(), slice.slice("again", 1, 4 * PAGE))) {
          one.readBytes(new byte[10], 0, 10);
          one.seek(9_000);
          assertEquals(part, part.equals("_0.doc") ? 1 : 0, asked.pages.size());
          asked.pages.clear();
        }
      }
      in.readBytes(new byte[10], 0, 10);
      in.seek(9_000);
      requirePages(asked);
    }
  }

  /** All chunks must be loaded; where one says that it is not, the others may know nothing. */
  public void testLoadedChunks() throws IOException {
    Asked asked = new Asked();
    try (SegmentIndexInput in = open(3 * CHUNK_BYTES, asked, () -> {})) {
      for (int i = 0; i < 27; i++) {
        List<Optional<Boolean>> answers = List.of(answer(i), answer(i / 3), answer(i / 9));
        asked.answers.addAll(answers);
        Optional<Boolean> expected =
            answers.contains(Optional.of(false))
                ? Optional.of(false)
                : answers.contains(Optional.<Boolean>empty())
                    ? Optional.empty()
                    : Optional.of(true);
        assertEquals(answers.toString(), expected, in.isLoaded());
      }
    }
  }

  private static Optional<Boolean> answer(int i) {
    return i % 3 == 0 ? Optional.empty() : Optional.of(i % 3 == 1);
  }

  public void testSeekToNegative() throws IOException {
    for (int length : new int[] {CHUNK_BYTES, 2 * CHUNK_BYTES}) {
      try (SegmentIndexInput in = open(length)) {
        expectThrows(IllegalArgumentException.class, () -> in.seek(-1));
      }
    }
  }

  public void testClosedTwice() throws IOException {
    SegmentIndexInput in = open(8);
    in.clone().close();
    in.slice("slice", 0, 1).close();
    assertEquals("only the original releases", 0, releases.get());
    in.close();
    in.close();
    assertEquals(1, releases.get());
  }

  /** A release that failed is not tried again: what it gave back may belong to another by then. */
  public void testFailedRelease() throws IOException {
    SegmentIndexInput in =
        open(
            8,
            Residency.RESIDENT,
            () -> {
              releases.incrementAndGet();
              throw new IOException("planted");
            });
    expectThrows(IOException.class, in::close);
    in.close();
    assertEquals(1, releases.get());
  }

  public void testClosedByTwoThreadsAtOnce() throws Exception {
    AtomicInteger arrivals = new AtomicInteger();
    SegmentIndexInput[] inputs = new SegmentIndexInput[RACES];
    for (int i = 0; i < RACES; i++) {
      inputs[i] = open(8);
    }
    Callable<Void> closeAll =
        () -> {
          for (int i = 0; i < RACES; i++) {
            arrivals.incrementAndGet();
            while (arrivals.get() < 2 * (i + 1)) {
              Thread.onSpinWait();
            }
            inputs[i].close();
          }
          return null;
        };
    FutureTask<Void> other = start(closeAll);
    closeAll.call();
    other.get();
    assertEquals(RACES, releases.get());
  }
}
