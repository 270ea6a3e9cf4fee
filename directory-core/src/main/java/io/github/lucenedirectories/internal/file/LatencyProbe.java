package io.github.lucenedirectories.internal.file;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells by the time that reads of a file take whether its bytes come from memory. Any thread may
 * use it; a race between two costs a sample.
 */
final class LatencyProbe {

  /*
   * Asking for bytes ahead of a read costs a system call, which is wasted on a file that is in
   * memory. Asking the kernel whether it is costs as much. The reads themselves tell: from memory
   * they take about a microsecond, from the fastest device fifty. One slow read in a file makes it
   * worth asking again at once; it takes a long row of fast ones to stop.
   */

  /** Longer than a short read from memory unless its thread lost the processor. */
  private static final long SLOW_NANOS = 30_000;

  /** What a long read copies at least, from memory. */
  private static final int BYTES_A_NANO = 4;

  /** So many timed reads in a row must be fast. */
  private static final int FAST_ENOUGH = 64;

  /** A short read is timed if these bits of its position are 0: one in eight of those that jump. */
  private static final long UNTIMED_BITS = 7L << 12;

  /** A read of so many bytes is timed wherever it begins: those of a scan are at like positions. */
  private static final int LONG_BYTES = 1 << 13;

  private static final long UNTIMED = 0;

  private final AtomicInteger fastInRow = new AtomicInteger();

  /** Call before a read, and {@link #end} with the result after it. */
  long begin(long pos, int bytes) {
    return bytes >= LONG_BYTES || (pos & UNTIMED_BITS) == 0 ? System.nanoTime() | 1 : UNTIMED;
  }

  /** Notes how long a read took that has come to its end. */
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
