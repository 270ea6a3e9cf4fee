// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.memory.FileContents;
import io.github.lucenedirectories.internal.memory.MemoryOptions;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import io.github.lucenedirectories.internal.os.Reaper;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a cache's slots, allocated slab by slab as slots are needed. One thread at a time
 * calls its methods, but others may read and write slabs, which throw {@link IllegalStateException}
 * once the memory is freed.
 */
final class CacheMemory implements Closeable {

  /** Memory for one block. */
  record Slot(MemorySegment slab, long offset) {}

  private static final long LEAST_SLAB_BYTES = 1L << 21;

  /** Bounds what the system zeroes while other threads wait for the cache's lock. */
  private static final long MOST_SLAB_BYTES = 1L << 26;

  /** A smaller cache allocates its memory in about this many slabs. */
  private static final int SLABS = 16;

  private final Reaper reaper = new Reaper();
  private final OffHeapMemory memory;
  private final int blockBytes;
  private final int slabSlots;
  private final List<FileContents> slabs = new ArrayList<>();

  private final ArrayDeque<Slot> free = new ArrayDeque<>();

  /** How many slots have no memory yet. */
  private int unallocated;

  /**
   * Allocates no memory yet.
   *
   * @throws IOException if huge pages are required and the system refuses them
   */
  CacheMemory(int slots, int blockBytes, HugePages hugePages) throws IOException {
    this.blockBytes = blockBytes;
    unallocated = slots;
    long maxBytes = (long) slots * blockBytes;
    long slabBytes =
        Math.clamp(Long.highestOneBit(maxBytes / SLABS), LEAST_SLAB_BYTES, MOST_SLAB_BYTES);
    slabSlots = (int) (slabBytes / blockBytes);
    memory =
        OffHeapMemory.open(
            new MemoryOptions(
                BlockCache.class.getSimpleName(),
                // The last slab may briefly take a part of a huge page.
                maxBytes + LEAST_SLAB_BYTES,
                hugePages),
            reaper);
  }

  /** Takes a free slot, or returns null if there is none or the system has no memory left. */
  @Nullable Slot take() {
    if (free.isEmpty()) {
      allocate(Math.min(slabSlots, unallocated));
    }
    return free.pollFirst();
  }

  private void allocate(int slots) {
    if (slots == 0) {
      return;
    }
    try {
      FileContents slab = memory.allocate("slab " + slabs.size(), (long) slots * blockBytes);
      slabs.add(slab);
      MemorySegment bytes = slab.writable();
      for (int slot = 0; slot < slots; slot++) {
        free.add(new Slot(bytes, (long) slot * blockBytes));
      }
      unallocated -= slots;
    } catch (IOException _) {
      // Go on with the slots that have memory.
      unallocated = 0;
    }
  }

  void giveBack(Slot slot) {
    free.addFirst(slot);
  }

  String description() {
    return memory.description();
  }

  @Override
  public void close() {
    try (memory;
        reaper) {
      slabs.forEach(memory::release);
      slabs.clear();
    }
  }
}
