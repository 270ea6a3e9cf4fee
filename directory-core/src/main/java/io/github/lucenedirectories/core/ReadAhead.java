package io.github.lucenedirectories.core;

/**
 * Has the bytes on their way that a sequential reader takes next.
 *
 * <p>The kernel would do so unasked, but it takes reads near each other for a scan, and then loads
 * as much as the device's {@code read_ahead_kb} allows, megabytes on some. This asks for a window
 * that grows with the reads.
 */
final class ReadAhead {

  /**
   * Readers that take less at once have not gone on for long yet, and often do not: postings are
   * read in short runs with jumps between them.
   */
  static final int LEAST_BYTES = 1 << 13;

  /** The window, in multiples of what the reader takes at once. */
  private static final int READS = 4;

  private ReadAhead() {}

  /**
   * Call before a sequential read.
   *
   * @param pos where in the file it begins
   * @param bytes that it takes
   * @param end where in the file the reader's part of it ends
   * @param asked what the last call for this reader returned; 0 before
   * @return up to where in the file the bytes are asked for
   */
  static long beforeRead(PositionalFile file, long pos, int bytes, long end, long asked) {
    if (bytes < LEAST_BYTES) {
      return asked;
    }
    long readEnd = pos + bytes;
    long window = (long) READS * bytes;
    boolean jumped = asked < pos || asked > readEnd + window;
    long known = jumped ? pos : asked;
    long until = Math.min(end, readEnd + window);
    // Half a window at a time: a call for each read would cost more than it gains.
    if (known - readEnd >= window / 2 || until <= known) {
      return known;
    }
    file.readAhead(known, until - known);
    return until;
  }
}
