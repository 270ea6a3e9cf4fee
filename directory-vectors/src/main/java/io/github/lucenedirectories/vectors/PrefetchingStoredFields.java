// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.jspecify.annotations.Nullable;

/** A segment's stored documents, each prefetched before it is read. Belongs to one thread. */
final class PrefetchingStoredFields extends StoredFields {

  private final PrefetchingLeafReader leaf;
  private final StoredFields in;
  private final ChunkFinder finder;

  /** What the caller prefetches; null if it does not. */
  private @Nullable DocumentRound announced;

  /** The document that continues a scan, which the kernel's read-ahead detects; -1 for none. */
  private int scanned = -1;

  PrefetchingStoredFields(PrefetchingLeafReader leaf, StoredFields in) {
    this.leaf = leaf;
    this.in = in;
    this.finder = new ChunkFinder(leaf);
  }

  @Override
  public void prefetch(int doc) throws IOException {
    if (!leaf.documents.isOn()) {
      in.prefetch(doc);
      return;
    }
    long[] begun = PrefetchSwitch.begin();
    announced = DocumentRound.announce(finder.find(doc), doc);
    leaf.documents.end(begun, true, 0);
  }

  @Override
  public void document(int doc, StoredFieldVisitor visitor) throws IOException {
    if (!leaf.documents.observes()) {
      in.document(doc, visitor);
      return;
    }
    long[] begun = PrefetchSwitch.begin();
    boolean on = leaf.documents.isOn();
    if (on) {
      DocumentRound.prefetchAnnounced();
    }
    if (on && announced == null) {
      if (Hits.prefetch(leaf, doc)) {
        leaf.documents.readHit();
      } else if (doc != scanned && leaf.exact) {
        // Only if it is known what the document needs: a whole chunk takes longer to load than the
        // pages that are read of it.
        new DocumentRound().add(finder, doc).prefetch();
      }
    }
    scanned = doc + 1;
    in.document(doc, visitor);
    leaf.documents.end(begun, on, 1);
  }
}
