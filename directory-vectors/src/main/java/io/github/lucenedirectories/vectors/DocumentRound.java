// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.IORunnable;

/**
 * Documents that are prefetched together: first the heads of their chunks that are not in memory,
 * then the blocks of which the heads tell. So the device is waited for once or twice, not for each
 * document. Belongs to one thread.
 */
final class DocumentRound {

  private record Stored(StoredChunk chunk, int doc) {}

  private final List<Stored> documents = new ArrayList<>();

  /** Adds a document. If those of a segment ascend, each head is prefetched once. */
  DocumentRound add(ChunkFinder finder, int doc) {
    attempt(
        () -> {
          StoredChunk chunk = finder.find(doc);
          if (chunk != null) {
            documents.add(new Stored(chunk, doc));
          }
        });
    return this;
  }

  void prefetch() {
    StoredChunk last = null;
    for (Stored document : documents) {
      if (document.chunk != last) {
        last = document.chunk;
        attempt(last::prefetchHead);
      }
    }
    for (Stored document : documents) {
      attempt(() -> document.chunk.prefetch(document.doc));
    }
  }

  /** Whoever reads the document finds out what fails; others may never be read. */
  private static void attempt(IORunnable hint) {
    try {
      hint.run();
    } catch (IOException | RuntimeException | InternalError _) {
      // Not prefetched: closed, damaged, or a mapped file that was truncated.
    }
  }
}
