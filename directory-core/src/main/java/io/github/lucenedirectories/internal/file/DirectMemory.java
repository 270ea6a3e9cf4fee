// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Native memory for direct writes, in pieces of {@value #PIECE_BYTES} bytes with the alignment that
 * they need. Any thread may take a piece and then owns it.
 *
 * <p>Only {@value #KEPT} free pieces stay resident, so that the page cache gets the memory of a
 * merge back when the merge ends. The others keep only their addresses, which cost nothing.
 */
@SuppressWarnings("restricted") // makes segments of addresses that the system gave
final class DirectMemory {

  static final int PIECE_BYTES = 1 << 18;

  private static final int KEPT = 8;

  /** Free pieces, resident ones first. Guarded by itself. */
  private static final Deque<MemorySegment> FREE = new ArrayDeque<>();

  /** How many of {@link #FREE} are resident. Guarded by it. */
  private static int kept;

  private DirectMemory() {}

  /**
   * Takes a piece, which may have any content.
   *
   * @throws OutOfMemoryError if the system has no more addresses
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

  /** Takes back a piece, which must no longer be used. */
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

  /** How many free pieces are resident. */
  static int kept() {
    synchronized (FREE) {
      return kept;
    }
  }

  private static NativeCalls calls() {
    return NativeCalls.get().orElseThrow();
  }
}
