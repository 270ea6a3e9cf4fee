package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.store.Residency;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** An input over memory releases its file once, however often and by whomever it is closed. */
public class CloseOnceTest extends LibraryTestCase {

  private static final int RACES = 2_000;

  public void testOneThread() throws IOException {
    AtomicInteger releases = new AtomicInteger();
    SegmentIndexInput in = open(releases::incrementAndGet);
    in.clone().close();
    in.slice("slice", 0, 1).close();
    assertEquals("only the original releases", 0, releases.get());
    in.close();
    in.close();
    assertEquals(1, releases.get());
  }

  /** A release that failed is not tried again: what it gave back may belong to another by then. */
  public void testFailedRelease() throws IOException {
    AtomicInteger releases = new AtomicInteger();
    SegmentIndexInput in =
        open(
            () -> {
              releases.incrementAndGet();
              throw new IOException("planted");
            });
    expectThrows(IOException.class, in::close);
    in.close();
    assertEquals(1, releases.get());
  }

  public void testTwoThreadsAtOnce() throws Exception {
    AtomicInteger releases = new AtomicInteger();
    SegmentIndexInput[] inputs = new SegmentIndexInput[RACES];
    for (int i = 0; i < RACES; i++) {
      inputs[i] = open(releases::incrementAndGet);
    }
    AtomicInteger arrivals = new AtomicInteger();
    AtomicReference<IOException> failure = new AtomicReference<>();
    Thread other = new Thread(() -> closeTogether(inputs, arrivals, failure), "closer");
    other.start();
    closeTogether(inputs, arrivals, failure);
    other.join();
    assertNull(failure.get());
    assertEquals(RACES, releases.get());
  }

  /** Closes each input when the other thread has come to it as well. */
  private static void closeTogether(
      SegmentIndexInput[] inputs, AtomicInteger arrivals, AtomicReference<IOException> failure) {
    for (int i = 0; i < inputs.length; i++) {
      arrivals.incrementAndGet();
      while (arrivals.get() < 2 * (i + 1)) {
        Thread.onSpinWait();
      }
      try {
        inputs[i].close();
      } catch (IOException e) {
        failure.set(e);
      }
    }
  }

  private static SegmentIndexInput open(Closeable owner) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[Long.BYTES]);
    return SegmentIndexInput.open("in memory", bytes, Long.BYTES, Residency.RESIDENT, owner);
  }
}
