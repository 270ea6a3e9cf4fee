// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

/**
 * The sequential run of one input's reads: how much to read next, and what was requested already.
 * For one thread at a time.
 *
 * <p>As in operating systems, a read that continues where the last one ended doubles the amount,
 * and any other read resets it to the least. Nothing else counts: Lucene's contexts do not say how
 * an input is read.
 */
final class ReadRun {

  /** A read that begins at most this far behind the end of the last one continues the run. */
  private static final int FORWARD_BYTES = 1 << 12;

  private final ReadSizes sizes;

  /** Where in the input the last read ended. */
  private long end;

  private int nextBytes;

  /** Bytes that this run has read. */
  private long length;

  /** Up to where in the file this run has requested bytes. */
  private long requested;

  /** The run of an input that was not read yet; a read of its beginning continues it. */
  ReadRun(ReadSizes sizes) {
    this.sizes = sizes;
    restart();
  }

  /** Whether a read continues where the last one ended. */
  boolean continues(long at, int bytes) {
    return at + bytes > end && at <= end + FORWARD_BYTES;
  }

  /** How many bytes to read at once if the run continues. */
  int nextBytes() {
    return nextBytes;
  }

  /** Whether the run, with {@code bytes} more, is a scan of a large part of the file. */
  boolean isLong(int bytes) {
    return length + bytes >= ReadSizes.LONG_RUN_BYTES;
  }

  /** Call before a read of the file that does not continue the run. */
  void restart() {
    nextBytes = sizes.randomBytes();
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
    requested = ReadAhead.beforeRead(file, pos, bytes, nextBytes, inputEnd, requested);
  }

  /** Call when it is clear how many bytes a read takes: the next one may take twice as many. */
  void grow(int bytes) {
    length += bytes;
    nextBytes = Math.min(Math.max(nextBytes, bytes), sizes.largest(isLong(0)) >> 1) << 1;
  }

  void endedAt(long at) {
    end = at;
  }
}
