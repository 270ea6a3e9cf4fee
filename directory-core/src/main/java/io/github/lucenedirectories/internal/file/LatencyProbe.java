// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Infers from the latency of a file's reads whether its bytes come from memory. Any thread may use
 * it; a race between two threads loses a sample.
 */
final class LatencyProbe {

  /*
   * A prefetch costs a system call, which is wasted on a file that is in memory. Asking the kernel
   * whether it is costs as much. But latency shows it: a read takes about a microsecond from
   * memory, and fifty from the fastest device. One slow read of a file enables prefetching again at
   * once; only a long series of fast reads disables it.
   */

  /** A short read from memory is faster unless its thread was descheduled. */
  private static final long SLOW_NANOS = 30_000;

  /** The lowest copy rate of a long read from memory. */
  private static final int BYTES_A_NANO = 4;

  /** How many timed reads in a row must be fast. */
  private static final int FAST_ENOUGH = 64;

  /** A short read is timed if these bits of its position are 0: one in eight random reads. */
  private static final long UNTIMED_BITS = 7L << 12;

  /** Reads this long are always timed: the positions of a scan share their low bits. */
  private static final int LONG_BYTES = 1 << 13;

  private static final long UNTIMED = 0;

  private final AtomicInteger fastInRow = new AtomicInteger();

  /** Call before a read, and pass the result to {@link #end} after it. */
  long begin(long pos, int bytes) {
    return bytes >= LONG_BYTES || (pos & UNTIMED_BITS) == 0 ? System.nanoTime() | 1 : UNTIMED;
  }

  /** Records the latency of a finished read. */
  void end(long begun, int bytes) {
    if (begun != UNTIMED) {
      note(System.nanoTime() - begun, bytes);
    }
  }

  void note(long nanos, int bytes) {
    if (nanos > SLOW_NANOS + bytes / BYTES_A_NANO) {
      fastInRow.setOpaque(0);
    } else if (!fromMemory()) {
      fastInRow.setOpaque(fastInRow.getOpaque() + 1);
    }
  }

  /** Whether the last reads were as fast as reads from memory. */
  boolean fromMemory() {
    return fastInRow.getOpaque() >= FAST_ENOUGH;
  }
}
