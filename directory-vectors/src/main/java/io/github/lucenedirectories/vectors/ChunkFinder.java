// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.store.PrefetchCapture;
import java.io.IOException;
import org.apache.lucene.index.StoredFields;
import org.jspecify.annotations.Nullable;

/** Finds the chunks of a segment's stored documents. Belongs to one thread. */
final class ChunkFinder {

  private final PrefetchingLeafReader leaf;

  /** Lucene's, which serves this finder alone. Null before the first document. */
  private @Nullable StoredFields fields;

  private @Nullable StoredChunk last;

  ChunkFinder(PrefetchingLeafReader leaf) {
    this.leaf = leaf;
  }

  /**
   * The chunk of a document; null if the directory is not this library's, which then prefetches the
   * chunk in its own way.
   */
  @Nullable StoredChunk find(int doc) throws IOException {
    if (last != null && last.contains(doc)) {
      return last;
    }
    PrefetchCapture.Range range = capture(fields, doc);
    if (range == null && last != null) {
      // Lucene does not prefetch one of the last sixteen chunks again.
      range = capture(null, doc);
    }
    if (range == null) {
      leaf.exact = false;
      last = null;
    } else if (last == null || last.offset != range.offset()) {
      last = new StoredChunk(range, leaf.exact);
    }
    return last;
  }

  private PrefetchCapture.@Nullable Range capture(@Nullable StoredFields opened, int doc)
      throws IOException {
    StoredFields source = opened == null ? leaf.segment.storedFields() : opened;
    fields = source;
    return PrefetchCapture.of(() -> source.prefetch(doc));
  }
}
