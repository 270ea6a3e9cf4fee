package io.github.lucenedirectories.internal.file;

/**
 * Has the bytes on their way that a sequential reader takes next.
 *
 * <p>The kernel would do so unasked, but it takes reads near each other for a scan, and then loads
 * as much as the device's {@code read_ahead_kb} allows, megabytes on some. This asks for a window
 * that grows with the run of reads, up to {@value #MOST_BYTES} bytes.
 */
final class ReadAhead {

  /**
   * A reader that takes less at once has not gone on for long yet, and often does not: postings are
   * read in short runs with jumps between them.
   */
  static final int LEAST_READ_BYTES = 1 << 13;

  /** The window, in multiples of what the reader takes at once. */
  private static final int READS = 4;

  /**
   * The largest window, and request: the kernel takes this much at once, of some devices no more.
   */
  static final int MOST_BYTES = 1 << 17;

  /**
   * A file of this length at most is loaded whole: it costs the device little more than a page of
   * it, and the index of the terms, whose places queries read all over, is rarely longer.
   */
  static final long SHORT_BYTES = 1 << 18;

  /** What the kernel loads for a first read at a file's beginning. */
  static final long FIRST_READ_BYTES = 1 << 14;

  private ReadAhead() {}

  /**
   * Call before a sequential read.
   *
   * @param pos where in the file it begins
   * @param bytes that it takes
   * @param readBytes how much the reader takes at once by now, which grows while it goes on
   * @param end where in the file the reader's part of it ends
   * @param asked what the last call in this run of reads returned; 0 before
   * @return up to where in the file the bytes are asked for
   */
  static long beforeRead(
      PositionalFile file, long pos, int bytes, int readBytes, long end, long asked) {
    long readEnd = pos + bytes;
    // A long read asks for its own bytes while it goes on.
    long known = Math.max(bytes > TransferBlock.BLOCK_BYTES ? readEnd : pos, asked);
    long window = Math.min((long) READS * readBytes, MOST_BYTES);
    // Half a window at a time: a request for each read would cost more than it gains.
    if (readBytes < LEAST_READ_BYTES || known - readEnd >= window / 2 || known >= end) {
      return asked;
    }
    long until = Math.min(end, Math.min(readEnd + window, known + MOST_BYTES));
    return file.readAhead(known, until - known) ? until : asked;
  }
}
