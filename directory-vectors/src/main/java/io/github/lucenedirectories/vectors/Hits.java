// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.TopDocs;
import org.jspecify.annotations.Nullable;

/**
 * The hits of a thread's last search. Nothing is prefetched until the first of them is read, since
 * many never are; then it and those that follow are. Belongs to one thread.
 */
final class Hits {

  /** Hits behind these are read one by one: they would stay reachable. */
  static final int MOST = 10_000;

  private static final ThreadLocal<@Nullable Hits> LAST = new ThreadLocal<>();

  /** Weak, because a thread may live longer than the index. The reader may be closed. */
  private final WeakReference<IndexReaderContext> searched;

  private final int[] docs;

  /** The places in {@link #docs} that were prefetched. */
  private final BitSet prefetched = new BitSet();

  /** Where the next hit is expected. */
  private int next;

  private Hits(IndexReaderContext searched, TopDocs hits) {
    this.searched = new WeakReference<>(searched);
    this.docs =
        Arrays.stream(hits.scoreDocs)
            .limit(MOST)
            .filter(Objects::nonNull)
            .mapToInt(hit -> hit.doc)
            .toArray();
  }

  /** Notes what a search returned, if it is hits. */
  static void note(IndexReaderContext searched, @Nullable Object result) {
    if (result instanceof TopDocs hits && hits.scoreDocs != null) {
      PrefetchingLeafReader first =
          searched.leaves().isEmpty()
              ? null
              : PrefetchingLeafReader.find(searched.leaves().getFirst().reader());
      if (first != null && first.documents.isOn()) {
        LAST.set(new Hits(searched, hits));
      } else {
        LAST.remove();
      }
    }
  }

  /** Prefetches a document of a segment and those that follow; false if it is none of the hits. */
  static boolean prefetch(PrefetchingLeafReader leaf, int doc) {
    Hits last = LAST.get();
    IndexReaderContext searched = last == null ? null : last.searched.get();
    if (last != null && searched != null) {
      for (LeafReaderContext searchedLeaf : searched.leaves()) {
        if (PrefetchingLeafReader.find(searchedLeaf.reader()) == leaf) {
          return last.prefetch(searched.leaves(), searchedLeaf.docBase + doc, leaf.documents);
        }
      }
    }
    return false;
  }

  private boolean prefetch(List<LeafReaderContext> leaves, int doc, DocumentSwitch documents) {
    int place = next < docs.length && docs[next] == doc ? next : 0;
    while (place < docs.length && docs[place] != doc) {
      place++;
    }
    if (place == docs.length) {
      return false;
    }
    next = place + 1;
    if (!prefetched.get(place)) {
      documents.prefetchedHits(prefetchFrom(place, documents.hits(), leaves));
    }
    return true;
  }

  /** Returns how many were prefetched. */
  private int prefetchFrom(int first, int most, List<LeafReaderContext> leaves) {
    int[] sorted = new int[most];
    int count = 0;
    for (int place = first;
        place < docs.length && count < most;
        place = prefetched.nextClearBit(place)) {
      sorted[count++] = docs[place];
      prefetched.set(place);
    }
    Arrays.sort(sorted, 0, count);
    DocumentRound.of(leaves, Arrays.copyOf(sorted, count)).prefetch();
    return count;
  }
}
