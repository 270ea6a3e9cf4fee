// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/**
 * Documents that are prefetched together: first the heads of their chunks that are not in memory,
 * then the blocks of which the heads tell. So the device is waited for once or twice, not for each
 * document. Belongs to one thread.
 */
final class DocumentRound {

  /**
   * More are not prefetched together: announced ones would stay reachable, and the first might be
   * evicted before they are read.
   */
  static final int MOST = 1_000;

  /** Weak, because a thread may announce documents and never read one. */
  private static final ThreadLocal<@Nullable WeakReference<DocumentRound>> ANNOUNCED =
      new ThreadLocal<>();

  private record Stored(StoredChunk chunk, int doc) {}

  private final List<Stored> documents = new ArrayList<>();

  /** The documents of all segments that this thread has announced and not read; null for none. */
  private static @Nullable DocumentRound announced() {
    WeakReference<DocumentRound> announced = ANNOUNCED.get();
    return announced == null ? null : announced.get();
  }

  /**
   * Starts to load a document that this thread will read, without waiting: its chunk's head, if
   * that is not in memory, and the blocks when the first announced document is read.
   *
   * @param chunk null if unknown
   * @return what keeps the announcement until then
   */
  static DocumentRound announce(@Nullable StoredChunk chunk, int doc) throws IOException {
    DocumentRound round = announced();
    if (round == null) {
      round = new DocumentRound();
      ANNOUNCED.set(new WeakReference<>(round));
    }
    if (chunk != null) {
      round.announceOf(chunk, doc);
    }
    return round;
  }

  private void announceOf(StoredChunk chunk, int doc) throws IOException {
    boolean same = !documents.isEmpty() && documents.getLast().chunk == chunk;
    if (documents.size() >= MOST) {
      chunk.prefetchAll();
    } else if (same || !chunk.isHeadLoaded()) {
      if (!same) {
        chunk.prefetchHead();
      }
      documents.add(new Stored(chunk, doc));
    } else {
      chunk.prefetch(doc);
    }
  }

  /** Prefetches what this thread has announced, of any segment. */
  static void prefetchAnnounced() {
    DocumentRound round = announced();
    if (round != null && !round.documents.isEmpty()) {
      round.prefetchBlocks();
      round.documents.clear();
    }
  }

  /**
   * Documents of several segments.
   *
   * @param docs ascending. A collector may return documents of another index: those are left out.
   */
  static DocumentRound of(List<LeafReaderContext> leaves, int[] docs) {
    DocumentRound round = new DocumentRound();
    LeafReaderContext of = null;
    ChunkFinder finder = null;
    for (int doc : docs) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(Math.max(doc, 0), leaves));
      if (leaf != of) {
        of = leaf;
        PrefetchingLeafReader reader = PrefetchingLeafReader.find(leaf.reader());
        finder = reader == null ? null : new ChunkFinder(reader);
      }
      if (finder != null) {
        round.add(finder, doc - leaf.docBase);
      }
    }
    return round;
  }

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
    prefetchBlocks();
  }

  private void prefetchBlocks() {
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
