package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.core.Interrupts;
import java.io.Closeable;
import java.util.List;

/**
 * Gives free pages memory to write to, because a first write to a page of persistent memory after
 * an open takes a hundred times as long as a later one.
 */
final class Populator implements Closeable {

  /** What is taken out of the free pages at once. */
  private static final long STEP_BYTES = 1L << 22;

  private final Thread thread;
  private volatile boolean closed;

  /** Begins, on a thread of its own. */
  Populator(PmemMemory memory) {
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("lucene-directories-populate")
            .start(() -> populate(memory));
  }

  private void populate(PmemMemory memory) {
    long next = 0;
    while (!closed) {
      // Whoever finds no room waits for what is taken out here.
      synchronized (memory.growing()) {
        PoolExtent extent = memory.space().takeFreeFrom(next, STEP_BYTES);
        if (extent == null) {
          return;
        }
        try {
          memory.pools().populate(extent);
        } catch (InternalError _) {
          // No room on the device behind the file: the write that needs it will say so.
          return;
        } finally {
          memory.space().unused(extent.address());
        }
        next = extent.end();
      }
    }
  }

  /** Waits until all pages that were free have been seen to. */
  void await() throws InterruptedException {
    thread.join();
  }

  /** Ends the thread. */
  @Override
  public void close() {
    closed = true;
    Interrupts.join(List.of(thread));
  }
}
