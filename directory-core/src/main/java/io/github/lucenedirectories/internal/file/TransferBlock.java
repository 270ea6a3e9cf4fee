package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.FileCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that a read goes through on its way to the heap, for the time of one call.
 *
 * <p>Blocks are pooled for the whole process, at most {@value #POOLED} of {@value #BLOCK_BYTES}
 * bytes; beyond that a block is made for a read and left to the garbage collector. No block is kept
 * by an input between two calls, so none is lost with a clone that nobody closes.
 */
final class TransferBlock {

  static final int BLOCK_BYTES = 1 << 16;

  private static final int POOLED = 64;

  /** What one call reads at most. */
  private static final long MOST_BYTES = 1L << 30;

  /** Slots that a thread looks at before it makes a block: its own and the next ones. */
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
   * Reads once into memory that the caller owns, past this block; returns as {@link
   * FileCalls#pread} does.
   */
  int readInto(FileCalls calls, int descriptor, long pos, MemorySegment target) throws IOException {
    int length = (int) Math.min(target.byteSize(), MOST_BYTES);
    return calls.pread(descriptor, error, target, length, pos);
  }
}
