package io.github.lucenedirectories.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Native memory that direct reads and writes go through, in pieces of {@value #PIECE_BYTES} bytes
 * at addresses that they take. Up to {@value #KEPT} pieces are kept for use again, others left to
 * the garbage collector. Any thread may take a piece, which is then its own.
 */
final class DirectMemory {

  static final int PIECE_BYTES = 1 << 18;

  private static final int KEPT = 64;

  private static final BlockingQueue<MemorySegment> FREE = new ArrayBlockingQueue<>(KEPT);

  private DirectMemory() {}

  /** A piece, with any content. */
  static MemorySegment take() {
    MemorySegment free = FREE.poll();
    return free != null ? free : Arena.ofAuto().allocate(PIECE_BYTES, FileCalls.DIRECT_BYTES);
  }

  /** Takes a piece back, which nobody may use any more. */
  static void giveBack(MemorySegment piece) {
    boolean _ = FREE.offer(piece);
  }
}
