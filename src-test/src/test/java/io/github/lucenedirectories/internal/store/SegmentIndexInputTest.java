// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What an input over memory asks of {@link Residency}, and that it releases its file once. */
public class SegmentIndexInputTest extends LibraryTestCase {

  private static final int CHUNK_BYTES = 16;
  private static final int RACES = 2_000;

  private final AtomicInteger releases = new AtomicInteger();

  /** Notes the lengths of the ranges that are prefetched, and says of each whether it is loaded. */
  private static final class Asked implements Residency {
    private final List<Long> lengths = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();
    private boolean needsReadAhead;
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
    public boolean needsReadAhead() {
      return needsReadAhead;
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
    return SegmentIndexInput.open("in memory", bytes, CHUNK_BYTES, residency, owner);
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
    asked.needsReadAhead = true;
    int length = (1 << 20) + random().nextInt(1 << 20);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(length);
      SegmentIndexInput original =
          SegmentIndexInput.open("in memory", bytes, 1 << 30, asked, () -> {});
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
    asked.needsReadAhead = true;
    asked.fails = true;
    int bytes = 4 * random().nextInt(1 << 12, 1 << 13);
    try (Arena arena = Arena.ofConfined();
        SegmentIndexInput in =
            SegmentIndexInput.open(
                "in memory", arena.allocate(1 << 17), 1 << 30, asked, () -> {})) {
      IndexInput clone = in.clone();
      expectThrows(IndexOutOfBoundsException.class, () -> in.readBytes(new byte[bytes], 0, bytes));
      expectThrows(
          IndexOutOfBoundsException.class, () -> clone.readInts(new int[bytes], 0, bytes / 4));
      assertEquals(bytes, in.getFilePointer());
      assertEquals(bytes, clone.getFilePointer());
    }
  }

  /** A stored document: the head of its chunk, then a block further on. That is no run. */
  public void testStepsAreNotReadAhead() throws IOException {
    Asked asked = new Asked();
    asked.needsReadAhead = true;
    try (Arena arena = Arena.ofConfined();
        SegmentIndexInput in =
            SegmentIndexInput.open(
                "in memory", arena.allocate(1 << 21), 1 << 30, asked, () -> {})) {
      for (int head = 60_000; head < 2_000_000; head += 60_000) {
        in.seek(head);
        in.readBytes(new byte[3_000], 0, 3_000);
        in.skipBytes(14_000 + random().nextInt(20_000));
        in.readBytes(new byte[8_000], 0, 8_000);
      }
      assertEquals(List.of(), asked.starts);
    }
  }

  /** Nothing is prefetched for jumps, nor where the kernel reads ahead by itself. */
  public void testJumpsAreNotReadAhead() throws IOException {
    for (boolean jumps : new boolean[] {false, true}) {
      Asked asked = new Asked();
      asked.needsReadAhead = jumps;
      try (Arena arena = Arena.ofConfined();
          SegmentIndexInput in =
              SegmentIndexInput.open(
                  "in memory", arena.allocate(1 << 21), 1 << 30, asked, () -> {})) {
        long pos = 0;
        while ((pos += (jumps ? 36_000 : 0) + random().nextInt(8_000)) < 2_000_000) {
          in.seek(pos);
          in.readBytes(new byte[100], 0, 100);
        }
        assertEquals(List.of(), asked.starts);
      }
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
