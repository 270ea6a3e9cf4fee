package io.github.lucenedirectories.ram;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** Copies a file from memory, in pieces. */
final class FileCopy {

  private static final long PIECE_BYTES = 1L << 20;

  private FileCopy() {}

  /**
   * Copies all bytes.
   *
   * @param givenUp asked before each piece; true stops the copy
   * @return false if it was stopped; the target is then incomplete
   */
  static boolean write(IndexInput from, IndexOutput to, BooleanSupplier givenUp)
      throws IOException {
    for (long left = from.length(); left > 0; left -= PIECE_BYTES) {
      if (givenUp.getAsBoolean()) {
        return false;
      }
      to.copyBytes(from, Math.min(left, PIECE_BYTES));
    }
    return true;
  }
}
