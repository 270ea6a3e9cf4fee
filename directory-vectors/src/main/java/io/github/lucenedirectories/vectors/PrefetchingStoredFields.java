// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;

/** A segment's stored documents, each prefetched before it is read. Belongs to one thread. */
final class PrefetchingStoredFields extends StoredFields {

  private final PrefetchingLeafReader leaf;
  private final StoredFields in;
  private final ChunkFinder finder;

  /** Whether the caller prefetches what it will read. */
  private boolean byCaller;

  /** The document that continues a scan, which the kernel's read-ahead detects; -1 for none. */
  private int scanned = -1;

  PrefetchingStoredFields(PrefetchingLeafReader leaf, StoredFields in) {
    this.leaf = leaf;
    this.in = in;
    this.finder = new ChunkFinder(leaf);
  }

  @Override
  public void prefetch(int doc) throws IOException {
    byCaller = true;
    if (!leaf.documents.isOn()) {
      in.prefetch(doc);
      return;
    }
    long[] begun = PrefetchSwitch.begin();
    StoredChunk chunk = finder.find(doc);
    if (chunk != null && chunk.isHeadLoaded()) {
      chunk.prefetch(doc);
    } else if (chunk != null) {
      // To wait for the head is not what the caller expects.
      chunk.prefetchAll();
    }
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
    // A document alone is prefetched only if it is known what it needs: a whole chunk takes longer
    // to load than the pages that are read of it.
    if (on && !byCaller && doc != scanned && !Hits.prefetch(leaf, doc) && leaf.exact) {
      new DocumentRound().add(finder, doc).prefetch();
    }
    scanned = doc + 1;
    in.document(doc, visitor);
    leaf.documents.end(begun, on, 1);
  }
}
