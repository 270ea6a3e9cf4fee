// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

/**
 * Prefetches the bytes that a sequential reader will need next.
 *
 * <p>The kernel has its own read-ahead, but it takes nearby reads for a scan and then loads as much
 * as the device's {@code read_ahead_kb} allows, megabytes on some devices. This class prefetches a
 * window that grows with the run of reads, up to {@value #MOST_BYTES} bytes.
 */
final class ReadAhead {

  /**
   * Smaller reads are not worth a prefetch: their run has just begun and often ends soon, since
   * postings are read in short runs with jumps between them.
   */
  static final int LEAST_READ_BYTES = 1 << 13;

  /** The window, in multiples of the read size. */
  private static final int READS = 4;

  /** The largest window and request: for some devices the kernel accepts no more at once. */
  static final int MOST_BYTES = 1 << 17;

  /**
   * A file of at most this length is loaded whole: that costs the device little more than a page
   * does, and a terms index, which queries read all over, is rarely longer.
   */
  static final long SHORT_BYTES = 1 << 18;

  /** How much the kernel loads for a first read at a file's beginning. */
  static final long FIRST_READ_BYTES = 1 << 14;

  private ReadAhead() {}

  /**
   * Call before a sequential read.
   *
   * @param pos where in the file it begins
   * @param bytes length of the read
   * @param readBytes the current read size, which grows during the run
   * @param end where in the file the reader's part ends
   * @param requested what the last call in this run of reads returned; 0 before
   * @return the position in the file up to which bytes have been prefetched
   */
  static long beforeRead(
      PositionalFile file, long pos, int bytes, int readBytes, long end, long requested) {
    long readEnd = pos + bytes;
    // A long read prefetches its own bytes.
    long known = Math.max(bytes > TransferBlock.BLOCK_BYTES ? readEnd : pos, requested);
    long window = Math.min((long) READS * readBytes, MOST_BYTES);
    // Half a window at a time: a request for each read would cost more than it gains.
    if (readBytes < LEAST_READ_BYTES || known - readEnd >= window / 2 || known >= end) {
      return requested;
    }
    long until = Math.min(end, Math.min(readEnd + window, known + MOST_BYTES));
    return file.readAhead(known, until - known) ? until : requested;
  }
}
