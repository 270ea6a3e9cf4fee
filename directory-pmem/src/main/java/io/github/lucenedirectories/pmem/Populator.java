package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.BackgroundThread;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import java.io.Closeable;
import java.util.List;

/**
 * Gives free pages memory to write to, because a first write to a page of persistent memory after
 * an open takes a hundred times as long as a later one: all that are free when it begins, and those
 * of every pool file that is made later.
 */
final class Populator implements Closeable {

  /** What is taken out of the free pages at once. */
  private static final long STEP_BYTES = 1L << 22;

  private final PmemMemory memory;
  private final Thread thread;

  /* What follows is guarded by the monitor of whoever changes how much there is to take. */

  private boolean done;
  private boolean closed;

  /** Begins, on a thread of its own. */
  Populator(PmemMemory memory) {
    this.memory = memory;
    this.thread = BackgroundThread.unstarted("populate", this::run);
    try {
      thread.start();
    } catch (OutOfMemoryError _) {
      // The system allows no more threads: the first write to a page waits for it.
      synchronized (memory.growing()) {
        done = true;
      }
    }
  }

  private void run() {
    try {
      populateAll();
    } finally {
      // Whatever ended it, nobody waits for it any more.
      synchronized (memory.growing()) {
        done = true;
        memory.growing().notifyAll();
      }
    }
  }

  private void populateAll() {
    long next = 0;
    while (true) {
      // Whoever finds no room waits for what is taken out here.
      synchronized (memory.growing()) {
        if (closed) {
          return;
        }
        PoolExtent extent = memory.space().takeFreeFrom(next, STEP_BYTES);
        if (extent == null) {
          awaitGrowth();
        } else {
          populate(extent);
          next = extent.end();
        }
      }
    }
  }

  private void populate(PoolExtent extent) {
    try {
      memory.pools().populate(extent);
    } catch (InternalError _) {
      // No room on the device behind the file: the write that needs it will say so.
    } finally {
      memory.space().unused(extent.address());
    }
  }

  /** Later pool files have higher addresses. */
  private void awaitGrowth() {
    done = true;
    memory.growing().notifyAll();
    int pools = memory.pools().count();
    while (!closed && memory.pools().count() == pools) {
      try {
        memory.growing().wait();
      } catch (InterruptedException _) {
        // Nobody but close ends this thread.
      }
    }
  }

  /** Waits until all pages that were free at the beginning have been seen to. */
  void await() throws InterruptedException {
    synchronized (memory.growing()) {
      while (!done) {
        memory.growing().wait();
      }
    }
  }

  @Override
  public void close() {
    synchronized (memory.growing()) {
      closed = true;
      memory.growing().notifyAll();
    }
    Uninterruptibles.join(List.of(thread));
  }
}
