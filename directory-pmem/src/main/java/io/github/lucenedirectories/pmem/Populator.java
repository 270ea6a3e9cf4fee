// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import io.github.lucenedirectories.internal.os.BackgroundThread;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import java.io.Closeable;
import java.io.IOException;

/**
 * Prefaults the pages that are free after an open in the background, because the first write to a
 * page of persistent memory takes many times as long as later ones.
 */
final class Populator implements Closeable {

  /** How many bytes of free pages are taken at once. */
  private static final long STEP_BYTES = 1L << 22;

  private final PmemMemory memory;
  private final Thread thread = BackgroundThread.unstarted("populate", this::run);
  private volatile boolean closed;

  /** Starts the thread. */
  Populator(PmemMemory memory) {
    this.memory = memory;
    try {
      thread.start();
    } catch (OutOfMemoryError _) {
      // The system allows no more threads: first writes to pages stay slow.
    }
  }

  private void run() {
    long next = 0;
    while (next != AddressRanges.NONE && !closed) {
      // A thread that finds no free pages waits here for those that are taken.
      synchronized (memory.growing()) {
        next = populateFrom(next);
      }
    }
  }

  private long populateFrom(long address) {
    PoolExtent extent = memory.allocator().takeFreeFrom(address, STEP_BYTES);
    if (extent == null) {
      return AddressRanges.NONE;
    }
    try {
      memory.pools().populate(extent);
    } catch (IOException | InternalError _) {
      // The device has no space, or is damaged: the write that needs the page will report that.
    } finally {
      memory.allocator().unused(extent.address());
    }
    return extent.end();
  }

  @Override
  public void close() {
    closed = true;
    Uninterruptibles.join(thread);
  }
}
