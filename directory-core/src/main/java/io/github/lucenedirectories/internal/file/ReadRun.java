// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

/**
 * The sequential run of one input's reads: how much to read next, and what was requested already.
 * For one thread at a time.
 *
 * <p>As in operating systems, a read that continues where the last one ended doubles the amount,
 * and any other read resets it to the least. Nothing else counts: Lucene's contexts do not say how
 * an input is read.
 *
 * <p>The kernel has its own read-ahead, but it takes nearby reads for a scan and then loads as much
 * as the device's {@code read_ahead_kb} allows, megabytes on some devices. This class prefetches a
 * window that grows with the run of reads, up to {@value #MOST_BYTES} bytes.
 */
final class ReadRun {

  /** A read that begins at most this far behind the end of the last one continues the run. */
  private static final int FORWARD_BYTES = 1 << 12;

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

  /** The largest sequential read at first; that of a scan is {@link TransferBlock#BLOCK_BYTES}. */
  private static final int RUN_BYTES = 1 << 14;

  /** A sequential run of this length is a scan, mostly by a merge: queries rarely read this far. */
  static final int LONG_RUN_BYTES = 1 << 18;

  /** Bytes of a read that does not continue where the last one ended. */
  private final int randomBytes;

  /** Where in the input the last read ended. */
  private long end;

  private int nextBytes;

  /** Bytes that this run has read. */
  private long length;

  /** Up to where in the file this run has requested bytes. */
  private long requested;

  /**
   * The run of an input that was not read yet; a read of its beginning continues it.
   *
   * @param randomBytes bytes of a read that does not continue the run
   */
  ReadRun(int randomBytes) {
    this.randomBytes = randomBytes;
    restart();
  }

  /** Whether a read continues where the last one ended. */
  boolean continues(long at, int bytes) {
    return at + bytes > end && at <= end + FORWARD_BYTES;
  }

  /** How many bytes to read at once. */
  int nextBytes(boolean continues) {
    return continues ? nextBytes : randomBytes;
  }

  /** The largest read of a run. */
  int largest(boolean longRun) {
    return Math.max(randomBytes, longRun ? TransferBlock.BLOCK_BYTES : RUN_BYTES);
  }

  /** Whether the run, with {@code bytes} more, is a scan of a large part of the file. */
  boolean isLong(int bytes) {
    return length + bytes >= LONG_RUN_BYTES;
  }

  /** Call before a read of the file that does not continue the run. */
  void restart() {
    nextBytes = randomBytes;
    length = 0;
    requested = 0;
  }

  /**
   * Call before a read of the file that continues the run: prefetches the bytes after it.
   *
   * @param pos where in the file it begins
   * @param inputEnd where in the file the input ends
   */
  void readAhead(PositionalFile file, long pos, int bytes, long inputEnd) {
    requested = beforeRead(file, pos, bytes, nextBytes, inputEnd, requested);
  }

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

  /** Call when it is clear how many bytes a read takes: the next one may take twice as many. */
  void grow(int bytes) {
    length += bytes;
    nextBytes = Math.min(Math.max(nextBytes, bytes), largest(isLong(0)) >> 1) << 1;
  }

  void endedAt(long at) {
    end = at;
  }
}
