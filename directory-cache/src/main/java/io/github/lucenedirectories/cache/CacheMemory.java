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
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a cache's slots, allocated slab by slab as slots are first used.
 *
 * <p>Any thread may read and write slots, also during {@link #close}. Reads and writes throw {@link
 * IllegalStateException} once the memory is freed.
 */
final class CacheMemory implements Closeable {

  private static final long LEAST_SLAB_BYTES = 1L << 21;

  /** Bounds what the system zeroes while other threads wait for the cache's lock. */
  private static final long MOST_SLAB_BYTES = 1L << 26;

  /** A smaller cache allocates its memory in about this many slabs. */
  private static final int SLABS = 16;

  private final Reaper reaper = new Reaper();
  private final OffHeapMemory memory;
  private final int blockBytes;
  private final int slots;

  /** Binary logarithm of the slots per slab; the last slab may have fewer. */
  private final int slabShift;

  /** A slab is set before a slot in it is published for the first time. */
  private final MemorySegment[] slabs;

  private final List<FileContents> taken = new ArrayList<>();

  /**
   * Allocates no memory yet.
   *
   * @param blockBytes a power of two
   * @throws IOException if huge pages are required and the system refuses them
   */
  CacheMemory(int slots, int blockBytes, HugePages hugePages) throws IOException {
    this.slots = slots;
    this.blockBytes = blockBytes;
    long maxBytes = (long) slots * blockBytes;
    long slabBytes =
        Math.clamp(Long.highestOneBit(maxBytes / SLABS), LEAST_SLAB_BYTES, MOST_SLAB_BYTES);
    slabShift = Long.numberOfTrailingZeros(slabBytes / blockBytes);
    slabs = new MemorySegment[((slots - 1) >> slabShift) + 1];
    memory =
        OffHeapMemory.open(
            new MemoryOptions(
                BlockCache.class.getSimpleName(),
                // The last slab may briefly take a part of a huge page.
                maxBytes + LEAST_SLAB_BYTES,
                hugePages),
            reaper);
  }

  /**
   * Ensures that a slot has memory. Called by one thread at a time, with slots in ascending order.
   *
   * @throws IOException if the system has no memory left
   */
  void take(int slot) throws IOException {
    int slab = slot >> slabShift;
    if (slab < taken.size()) {
      return;
    }
    long bytes = (long) Math.min(1 << slabShift, slots - (slab << slabShift)) * blockBytes;
    FileContents contents = memory.allocate("slab " + slab, bytes);
    taken.add(contents);
    slabs[slab] = contents.writable();
  }

  private long offset(int slot) {
    return (long) (slot & ((1 << slabShift) - 1)) * blockBytes;
  }

  void read(int slot, int from, byte[] target, int offset, int length) {
    MemorySegment.copy(
        slabs[slot >> slabShift],
        ValueLayout.JAVA_BYTE,
        offset(slot) + from,
        target,
        offset,
        length);
  }

  void write(int slot, byte[] bytes, int length) {
    MemorySegment.copy(
        bytes, 0, slabs[slot >> slabShift], ValueLayout.JAVA_BYTE, offset(slot), length);
  }

  String description() {
    return memory.description();
  }

  /** Frees the memory. {@link #take} must not be called at the same time or afterwards. */
  @Override
  public void close() {
    try (memory;
        reaper) {
      taken.forEach(memory::release);
      taken.clear();
    }
  }
}
