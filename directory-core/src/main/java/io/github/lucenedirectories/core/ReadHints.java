package io.github.lucenedirectories.core;

import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;

/** What Lucene's contexts and hints tell of the reads of a file. */
public final class ReadHints {

  /**
   * What a reader by positions asks for where a jump ends: about the document that is there,
   * compressed.
   */
  static final int PIECE_BYTES = 1 << 14;

  private ReadHints() {}

  /** Whether the whole file is read, from end to end, as a merge does. */
  public static boolean isStream(IOContext context) {
    return context.context() == IOContext.Context.MERGE
        || context.hints().contains(DataAccessHint.SEQUENTIAL);
  }

  /** Whether a query reads a few pieces of such a file, as it does of stored fields. */
  public static boolean isReadInPieces(IOContext context) {
    return context.hints().contains(DataAccessHint.RANDOM)
        && !context.hints().contains(FileDataHint.KNN_VECTORS);
  }
}
