package io.github.lucenedirectories.core;

/**
 * The reads of one input, as long as each begins where the one before it ended: how much to take
 * next, and what is on its way already. For one thread at a time.
 *
 * <p>Operating systems guess so: a read that goes on doubles the amount, up to the limit for the
 * context; any other read starts again small.
 */
final class ReadRun {

  /** A read that begins at most this far behind the end of the last one goes on. */
  private static final int FORWARD_BYTES = 1 << 12;

  /** Where in the input the last read ended. */
  private long end;

  private int nextBytes;

  /** Up to where in the file this run has asked for bytes. */
  private long asked;

  /** Of an input that was not read yet; a read of its beginning goes on. */
  ReadRun(ReadSizes.Range sizes) {
    restart(sizes);
  }

  /** Whether a read goes on where the last one ended. */
  boolean goesOn(long at, int bytes) {
    return at + bytes > end && at <= end + FORWARD_BYTES;
  }

  /** How many bytes to take at once if the run goes on. */
  int nextBytes() {
    return nextBytes;
  }

  /** Whether reads went on for a while. */
  boolean isLong() {
    return nextBytes >= ReadAhead.LEAST_READ_BYTES;
  }

  /** Call before a read of the file that does not go on. */
  void restart(ReadSizes.Range sizes) {
    nextBytes = sizes.smallest();
    asked = 0;
  }

  /**
   * Call before a read of the file that goes on: has the bytes on their way that come after it.
   *
   * @param pos where in the file it begins
   * @param inputEnd where in the file the input ends
   */
  void readAhead(PositionalFile file, long pos, int bytes, long inputEnd) {
    asked = ReadAhead.beforeRead(file, pos, bytes, nextBytes, inputEnd, asked);
  }

  /** Call when it is clear how many bytes a read takes: the next one may take twice as many. */
  void grow(int bytes, ReadSizes.Range sizes) {
    nextBytes = Math.min(Math.max(nextBytes, bytes), sizes.largest() >> 1) << 1;
  }

  /** Call after a read. */
  void endedAt(long at) {
    end = at;
  }
}
