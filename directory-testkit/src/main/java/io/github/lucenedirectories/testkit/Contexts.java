// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.util.Random;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.PreloadHint;

/** The contexts that Lucene opens files with. */
public final class Contexts {

  private Contexts() {}

  /** A context of any kind. */
  public static IOContext any(Random random) {
    return random.nextInt(6) == 0 ? IOContext.READONCE : anyShared(random);
  }

  /** A context of any kind that lets several threads read. */
  public static IOContext anyShared(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> IOContext.merge(new MergeInfo(1_000, 1L << random.nextInt(40), true, 2));
      case 1 -> IOContext.flush(new FlushInfo(1_000, 1L << random.nextInt(40)));
      case 2 -> IOContext.DEFAULT.withHints(FileTypeHint.DATA, DataAccessHint.RANDOM);
      case 3 ->
          IOContext.DEFAULT.withHints(
              FileTypeHint.DATA, FileDataHint.KNN_VECTORS, DataAccessHint.RANDOM);
      case 4 ->
          IOContext.DEFAULT.withHints(
              FileTypeHint.INDEX, DataAccessHint.RANDOM, PreloadHint.INSTANCE);
      case 5 -> IOContext.DEFAULT.withHints(DataAccessHint.SEQUENTIAL);
      case 6 -> IOContext.DEFAULT.withHints(FileTypeHint.DATA, FileDataHint.POSTINGS);
      default -> IOContext.DEFAULT;
    };
  }
}
