// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;

/**
 * The kind of data in an index file, as far as it decides how the file is read.
 *
 * <p>Lucene's contexts do not suffice: a merge's context drops all hints, a reader that a merge
 * opened may serve searches afterwards, and a merge reads the vectors it has just written at
 * random. So the file name counts as well; slices of a compound file have it too.
 */
public enum FileKind {
  /** Stored fields or term vectors: a query reads a few places of them, a merge the whole file. */
  STORED,
  /** Full-precision vectors that only rescoring and merges read; searches read another file. */
  RAW_VECTORS,
  /**
   * Vectors that every search reads, or their graph: searches, and merges that build a graph, read
   * them at random.
   */
  VECTORS,
  /** Documents, positions and payloads of terms. */
  POSTINGS,
  OTHER;

  /** Its name in metrics. */
  final String text = name().toLowerCase(Locale.ROOT);

  private static final Set<String> STORED_EXTENSIONS = Set.of("fdt", "tvd");
  private static final Set<String> POSTINGS_EXTENSIONS = Set.of("doc", "pos", "pay");

  /**
   * Part of the names of Lucene's quantized formats and of OpenSearch's k-NN plugin, whose searches
   * read another file, and thereby of their files.
   */
  private static final List<String> BESIDE_VECTORS = List.of("Quantized", "_NativeEngines");

  /** Those of Lucene, and those of the k-NN plugin, whose merges drop its hints. */
  private static final Set<String> VECTORS_EXTENSIONS =
      Set.of("vec", "veq", "veb", "vex", "faiss", "faissc");

  /** The kind of a file, by its name and the context it is opened with. */
  public static FileKind of(String name, IOContext context) {
    String extension = name.substring(name.lastIndexOf('.') + 1);
    // The temporary files that a merge opens with its context hold quantized vectors.
    if (extension.equals("vec") && BESIDE_VECTORS.stream().anyMatch(name::contains)) {
      return RAW_VECTORS;
    }
    if (context.hints().contains(FileDataHint.KNN_VECTORS)
        || VECTORS_EXTENSIONS.contains(extension)
        || (isMerge(context) && extension.equals("tmp"))) {
      return VECTORS;
    }
    if (context.hints().contains(DataAccessHint.RANDOM) || STORED_EXTENSIONS.contains(extension)) {
      return STORED;
    }
    return POSTINGS_EXTENSIONS.contains(extension) ? POSTINGS : OTHER;
  }

  /** Whether a query reads only a few places, if any. */
  public boolean isCold() {
    return this == STORED || this == RAW_VECTORS;
  }

  /** Whether a merge opens the file. Its reader may serve searches afterwards. */
  public static boolean isMerge(IOContext context) {
    return context.context() == IOContext.Context.MERGE;
  }

  /** Whether Lucene says that the file is read from end to end, which is not always true. */
  public static boolean isStream(IOContext context) {
    return isMerge(context) || context.hints().contains(DataAccessHint.SEQUENTIAL);
  }
}
