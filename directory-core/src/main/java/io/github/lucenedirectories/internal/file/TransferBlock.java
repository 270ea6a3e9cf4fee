// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.Dropped;
import io.github.lucenedirectories.internal.os.FileCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that holds the bytes of a read before they are copied to the heap, during one call.
 *
 * <p>No input keeps a block between two calls, so clones, which are never closed, leak none.
 */
final class TransferBlock {

  static final int BLOCK_BYTES = 1 << 16;

  /** The longest read of one call. */
  private static WeakReference<@Nullable Pool> pool = new WeakReference<>(null);

  private final @Nullable Pool owner;
  private final Arena arena;
  private final MemorySegment error;
  private final MemorySegment bytes;

  /**
   * The free blocks of the process, at most {@value #MOST_BLOCKS}; beyond that a read allocates a
   * block and frees it. Any thread may take blocks.
   */
  static final class Pool {

    private static final int MOST_BLOCKS = 64;

    /** Slots that a thread checks before it allocates a block: its own and the next ones. */
    private static final int PROBES = 4;

    private final Arena arena = Dropped.arenaOf(this);

    private final AtomicReferenceArray<@Nullable TransferBlock> free =
        new AtomicReferenceArray<>(MOST_BLOCKS);

    /** How many blocks were allocated, or more. */
    private final AtomicInteger allocated = new AtomicInteger();

    TransferBlock take() {
      int slot = slotOfThread();
      for (int i = 0; i < PROBES; i++) {
        int index = (slot + i) % MOST_BLOCKS;
        if (free.getPlain(index) != null) {
          TransferBlock block = free.getAndSet(index, null);
          if (block != null) {
            return block;
          }
        }
      }
      return allocated.get() < MOST_BLOCKS && allocated.getAndIncrement() < MOST_BLOCKS
          ? new TransferBlock(this, arena)
          : new TransferBlock(null, Arena.ofConfined());
    }

    private void add(TransferBlock block) {
      int slot = slotOfThread();
      // There is a slot for each block.
      while (!free.compareAndSet(slot % MOST_BLOCKS, null, block)) {
        slot++;
      }
    }

    private static int slotOfThread() {
      return (int) Thread.currentThread().threadId() & (MOST_BLOCKS - 1);
    }
  }

  @SuppressWarnings("restricted") // the segment's own bounds
  private TransferBlock(@Nullable Pool owner, Arena arena) {
    this.owner = owner;
    this.arena = arena;
    long size = BLOCK_BYTES + FileCalls.ERROR_STATE_BYTES;
    MemorySegment owned = arena.allocate(size, Long.BYTES * 8);
    // Without the arena: each native call would count itself as its user.
    MemorySegment all = MemorySegment.ofAddress(owned.address()).reinterpret(size);
    bytes = all.asSlice(0, BLOCK_BYTES);
    error = all.asSlice(BLOCK_BYTES);
  }

  /** The pool of the process, which lives as long as the files that have it. */
  static synchronized Pool pool() {
    Pool known = pool.get();
    if (known == null) {
      known = new Pool();
      pool = new WeakReference<>(known);
    }
    return known;
  }

  /** Returns the block to the pool, or frees it. The thread that took it must not use it again. */
  void giveBack() {
    if (owner != null) {
      owner.add(this);
    } else {
      arena.close();
    }
  }

  /** The memory that {@link #read} fills, from its beginning. */
  MemorySegment bytes() {
    return bytes;
  }

  /** Reads once, at most a block; returns as {@link FileCalls#pread} does. */
  int read(FileCalls calls, int descriptor, long pos, int length) throws IOException {
    return calls.pread(descriptor, error, bytes, Math.min(length, BLOCK_BYTES), pos);
  }
}
