package io.github.lucenedirectories.core;

import org.apache.lucene.store.IOContext;

/**
 * How many bytes a {@link BlockIndexInput} reads at once, by the context it was opened with.
 *
 * @param randomBytes bytes that a read takes which does not go on where the last one ended; a power
 *     of two
 */
public record ReadSizes(int randomBytes) {

  /** What a random read takes unless the user says otherwise. */
  public static final int DEFAULT_RANDOM_BYTES = 1 << 10;

  /** The sizes unless the user says otherwise. */
  public static final ReadSizes DEFAULT = new ReadSizes(DEFAULT_RANDOM_BYTES);

  /** How far sequential reads of a search grow. */
  private static final int SEARCH_BYTES = 1 << 14;

  /** What a merge, or another reader of whole files, takes at once. */
  private static final int STREAM_BYTES = TransferBlock.BLOCK_BYTES;

  /**
   * How much to read.
   *
   * @param smallest bytes of a read after a jump
   * @param largest to which reads grow that go forward
   * @param stream whether the whole file is read, from end to end
   * @param piece bytes from the place on that are probably read after a jump; 0 if that is unknown
   */
  record Range(int smallest, int largest, boolean stream, int piece) {}

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException if it is not a power of two from 8, the longest single value,
   *     to 64 KiB
   */
  public ReadSizes {
    if (randomBytes < Long.BYTES
        || randomBytes > STREAM_BYTES
        || Integer.bitCount(randomBytes) != 1) {
      throw new IllegalArgumentException(
          "blockBytes must be a power of two from "
              + Long.BYTES
              + " to "
              + STREAM_BYTES
              + ": blockBytes="
              + randomBytes);
    }
  }

  Range forContext(IOContext context) {
    boolean stream = ReadHints.isStream(context);
    int largest = Math.max(randomBytes, stream ? STREAM_BYTES : SEARCH_BYTES);
    return new Range(
        stream ? Math.min(largest, SEARCH_BYTES) : randomBytes,
        largest,
        stream,
        ReadHints.isReadInPieces(context) ? ReadHints.PIECE_BYTES : 0);
  }
}
