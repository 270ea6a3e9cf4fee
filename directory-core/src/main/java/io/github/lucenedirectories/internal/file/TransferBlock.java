// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.FileCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that holds the bytes of a read before they are copied to the heap, during one call.
 *
 * <p>Blocks are pooled for the whole process, at most {@value #POOLED} of {@value #BLOCK_BYTES}
 * bytes; beyond that a read allocates a block and leaves it to the garbage collector. No input
 * keeps a block between two calls, so clones, which are never closed, leak none.
 */
final class TransferBlock {

  static final int BLOCK_BYTES = 1 << 16;

  private static final int POOLED = 64;

  /** The longest read of one call. */
  private static final long MOST_BYTES = 1L << 30;

  /** Slots that a thread checks before it allocates a block: its own and the next ones. */
  private static final int PROBES = 4;

  private static final AtomicReferenceArray<@Nullable TransferBlock> POOL =
      new AtomicReferenceArray<>(POOLED);

  private final MemorySegment error;
  private final MemorySegment bytes;

  private TransferBlock() {
    MemorySegment all =
        Arena.ofAuto().allocate(BLOCK_BYTES + FileCalls.ERROR_STATE_BYTES, Long.BYTES * 8);
    bytes = all.asSlice(0, BLOCK_BYTES);
    error = all.asSlice(BLOCK_BYTES);
  }

  static TransferBlock take() {
    int slot = slotOfThread();
    for (int i = 0; i < PROBES; i++) {
      int index = (slot + i) % POOLED;
      if (POOL.getPlain(index) != null) {
        TransferBlock block = POOL.getAndSet(index, null);
        if (block != null) {
          return block;
        }
      }
    }
    return new TransferBlock();
  }

  /** Returns the block to the pool. The caller must not use it again. */
  void giveBack() {
    int slot = slotOfThread();
    for (int i = 0; i < PROBES; i++) {
      if (POOL.compareAndSet((slot + i) % POOLED, null, this)) {
        return;
      }
    }
  }

  private static int slotOfThread() {
    return (int) Thread.currentThread().threadId() & (POOLED - 1);
  }

  /** The memory that {@link #read} fills, from its beginning. */
  MemorySegment bytes() {
    return bytes;
  }

  /** Reads once, at most a block; returns as {@link FileCalls#pread} does. */
  int read(FileCalls calls, int descriptor, long pos, int length) throws IOException {
    return calls.pread(descriptor, error, bytes, Math.min(length, BLOCK_BYTES), pos);
  }

  /**
   * Reads once into the caller's memory, bypassing this block; returns as {@link FileCalls#pread}
   * does.
   */
  int readInto(FileCalls calls, int descriptor, long pos, MemorySegment target) throws IOException {
    int length = (int) Math.min(target.byteSize(), MOST_BYTES);
    return calls.pread(descriptor, error, target, length, pos);
  }
}
