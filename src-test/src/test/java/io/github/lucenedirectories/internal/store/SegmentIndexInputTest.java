package io.github.lucenedirectories.internal.store;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;

/** What an input over memory asks of {@link Residency}, and that it releases its file once. */
public class SegmentIndexInputTest extends LibraryTestCase {

  private static final int CHUNK_BYTES = 16;
  private static final int RACES = 2_000;

  private final AtomicInteger releases = new AtomicInteger();

  /** Notes the lengths of the ranges that are prefetched, and says of each whether it is loaded. */
  private static final class Asked implements Residency {
    private final List<Long> lengths = new ArrayList<>();
    private final List<Optional<Boolean>> answers = new ArrayList<>();

    @Override
    public void prefetch(MemorySegment range) {
      lengths.add(range.byteSize());
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
