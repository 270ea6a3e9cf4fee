// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.BackgroundThread;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import java.io.Closeable;
import java.util.List;

/**
 * Prefaults free pages, because the first write to a page of persistent memory after an open takes
 * a hundred times as long as later ones. It covers the pages that are free when it starts, and
 * those of every pool file that is created later.
 */
final class Populator implements Closeable {

  /** How many bytes of free pages are taken at once. */
  private static final long STEP_BYTES = 1L << 22;

  private final PmemMemory memory;
  private final Thread thread;

  /* The following is guarded by memory.growing(). */

  private boolean done;
  private boolean closed;

  /** Starts the thread. */
  Populator(PmemMemory memory) {
    this.memory = memory;
    this.thread = BackgroundThread.unstarted("populate", this::run);
    try {
      thread.start();
    } catch (OutOfMemoryError _) {
      // The system allows no more threads: first writes to pages stay slow.
      synchronized (memory.growing()) {
        done = true;
      }
    }
  }

  private void run() {
    try {
      populateAll();
    } finally {
      // However it ended, waiting threads must go on.
      synchronized (memory.growing()) {
        done = true;
        memory.growing().notifyAll();
      }
    }
  }

  private void populateAll() {
    long next = 0;
    while (true) {
      // A thread that finds no free pages waits here for those that are taken.
      synchronized (memory.growing()) {
        if (closed) {
          return;
        }
        PoolExtent extent = memory.allocator().takeFreeFrom(next, STEP_BYTES);
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
      // The device has no space: the write that needs it will report that.
    } finally {
      memory.allocator().unused(extent.address());
    }
  }

  /** Waits for another pool file, whose addresses are higher. */
  private void awaitGrowth() {
    done = true;
    memory.growing().notifyAll();
    int pools = memory.pools().count();
    while (!closed && memory.pools().count() == pools) {
      try {
        memory.growing().wait();
      } catch (InterruptedException _) {
        // Only close ends this thread.
      }
    }
  }

  /** Waits until the pages that were free at the start are populated, or the thread has ended. */
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
