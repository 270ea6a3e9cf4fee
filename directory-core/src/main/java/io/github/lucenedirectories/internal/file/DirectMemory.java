package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Native memory that direct writes go through, in pieces of {@value #PIECE_BYTES} bytes at
 * addresses that they take. Any thread may take a piece, which is then its own.
 *
 * <p>Only {@value #KEPT} pieces that nobody has keep their memory: what a merge needed is the page
 * cache's again when it ends. The others keep their addresses alone, which cost nothing.
 */
@SuppressWarnings("restricted") // makes segments of addresses that the system gave
final class DirectMemory {

  static final int PIECE_BYTES = 1 << 18;

  private static final int KEPT = 8;

  /** What nobody has: first those with memory. Guarded by itself. */
  private static final Deque<MemorySegment> FREE = new ArrayDeque<>();

  /** How many of {@link #FREE} have memory. Guarded by that. */
  private static int kept;

  private DirectMemory() {}

  /**
   * A piece, with any content.
   *
   * @throws OutOfMemoryError if the system gives no more addresses
   */
  static MemorySegment take() {
    synchronized (FREE) {
      if (!FREE.isEmpty()) {
        kept = Math.max(0, kept - 1);
        return FREE.removeFirst();
      }
    }
    long address =
        calls()
            .tryReserve(PIECE_BYTES)
            .orElseThrow(() -> new OutOfMemoryError("no addresses for a direct write are left"));
    return MemorySegment.ofAddress(address).reinterpret(PIECE_BYTES);
  }

  /** Takes a piece back, which nobody may use any more. */
  static void giveBack(MemorySegment piece) {
    synchronized (FREE) {
      if (kept < KEPT) {
        kept++;
        FREE.addFirst(piece);
      } else {
        calls().advise(piece, Advice.NOT_NEEDED);
        FREE.addLast(piece);
      }
    }
  }

  /** How many pieces that nobody has keep their memory. */
  static int kept() {
    synchronized (FREE) {
      return kept;
    }
  }

  private static NativeCalls calls() {
    return NativeCalls.get().orElseThrow();
  }
}
