package io.github.lucenedirectories.pmem;

import java.io.Closeable;

/**
 * Gives free pages memory to write to, because a first write to a page of persistent memory after
 * an open takes a hundred times as long as a later one.
 */
final class Populator implements Closeable {

  /** What is taken out of the free pages at once. */
  private static final long STEP_BYTES = 1L << 22;

  private final PmemMemory memory;
  private final Thread thread;
  private volatile boolean closed;

  /** Begins, on a thread of its own. */
  Populator(PmemMemory memory) {
    this.memory = memory;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("lucene-directories-populate")
            .start(() -> populate(memory));
  }

  private void populate(PmemMemory into) {
    long next = 0;
    while (!closed) {
      // Whoever finds no room waits for what is taken out here.
      synchronized (into.growing()) {
        PoolExtent extent = into.space().takeFreeFrom(next, STEP_BYTES);
        if (extent == null) {
          return;
        }
        try {
          into.pools().populate(extent);
        } catch (InternalError _) {
          // No room on the device behind the file: the write that needs it will say so.
          return;
        } finally {
          into.space().unused(extent.address());
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
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "Populator(" + memory.pools() + ")";
  }
}
