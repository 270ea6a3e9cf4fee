// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

/**
 * How many bytes a {@link BlockIndexInput} reads at once.
 *
 * @param randomBytes bytes of a read that does not continue where the last one ended; a power of
 *     two
 */
public record ReadSizes(int randomBytes) {

  /** The default length of a random read. */
  public static final int DEFAULT_RANDOM_BYTES = 1 << 10;

  /** The default sizes. */
  public static final ReadSizes DEFAULT = new ReadSizes(DEFAULT_RANDOM_BYTES);

  /** The largest sequential read at first, and after {@link #LONG_RUN_BYTES}. */
  private static final int RUN_BYTES = 1 << 14;

  private static final int LONG_RUN_READ_BYTES = TransferBlock.BLOCK_BYTES;

  /** A sequential run of this length is a scan, mostly by a merge: queries rarely read this far. */
  static final int LONG_RUN_BYTES = 1 << 18;

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException if it is not a power of two from 8, the longest single value,
   *     to 64 KiB
   */
  public ReadSizes {
    if (randomBytes < Long.BYTES
        || randomBytes > LONG_RUN_READ_BYTES
        || Integer.bitCount(randomBytes) != 1) {
      throw new IllegalArgumentException(
          "blockBytes must be a power of two from "
              + Long.BYTES
              + " to "
              + LONG_RUN_READ_BYTES
              + ": blockBytes="
              + randomBytes);
    }
  }

  int largest(boolean longRun) {
    return Math.max(randomBytes, longRun ? LONG_RUN_READ_BYTES : RUN_BYTES);
  }
}
