// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/**
 * The documents that a query rescores while it is rewritten. {@code RescoreTopNQuery} creates the
 * weight of its candidates; then it asks each segment for its vectors, and scores the candidates
 * one after another. When it first asks, this prefetches the vectors of all candidates in all
 * segments. Belongs to one thread.
 */
final class Candidates {

  /** More candidates are not prefetched: their vectors might evict each other. */
  private static final int MOST = 10_000;

  /** The candidates of the query that the thread is rewriting. */
  private static final ThreadLocal<@Nullable Candidates> CURRENT = new ThreadLocal<>();

  /**
   * The class of a vector query after its search: a list of documents. Compared by name, because it
   * is not public. Only such a weight is evaluated here a second time: another one may take long,
   * and not every weight of Lucene can be evaluated twice.
   */
  private static final String FOUND = "org.apache.lucene.search.DocAndScoreQuery";

  private final @Nullable Candidates outer = CURRENT.get();
  private final List<LeafReaderContext> leaves;
  private @Nullable Weight weight;

  // The rescoring that is being observed, if any.
  private @Nullable PrefetchSwitch observed;
  private boolean prefetched;
  private long vectors;
  private long[] begun = {};

  private Candidates(List<LeafReaderContext> leaves) {
    this.leaves = leaves;
  }

  /** Call before a query is rewritten, and {@link #end} afterwards. */
  static Candidates begin(List<LeafReaderContext> leaves) {
    Candidates begun = new Candidates(leaves);
    CURRENT.set(begun);
    return begun;
  }

  void end() {
    endObserved();
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }

  private void endObserved() {
    if (observed != null) {
      observed.end(begun, prefetched, vectors);
      observed = null;
    }
  }

  /**
   * Notes the weight of a query that the thread evaluates while it rewrites another.
   *
   * @param searched the segments; a query may search another index while it is rewritten
   */
  static void note(Weight weight, List<LeafReaderContext> searched) {
    Candidates current = CURRENT.get();
    if (current != null
        && current.leaves == searched
        && weight.getQuery().getClass().getName().equals(FOUND)) {
      current.endObserved();
      current.weight = weight;
    }
  }

  /** Notes that a query asks for the vectors of a field, to score them. */
  static void vectorsOf(String field) throws IOException {
    Candidates current = CURRENT.get();
    if (current != null && current.weight != null) {
      Weight candidates = current.weight;
      current.weight = null;
      current.prefetch(candidates, field);
    }
  }

  private void prefetch(Weight candidates, String field) throws IOException {
    List<IORunnable> prefetches = new ArrayList<>();
    PrefetchSwitch first = null;
    vectors = 0;
    for (LeafReaderContext leaf : leaves) {
      ScorerSupplier supplier = candidates.scorerSupplier(leaf);
      PrefetchingLeafReader reader = PrefetchingLeafReader.find(leaf.reader());
      VectorField ofLeaf = reader == null ? null : reader.vectors(field);
      if (supplier != null && reader != null && ofLeaf != null) {
        first = first == null ? ofLeaf.rescores : first;
        prefetches.add(
            () ->
                ofLeaf.prefetchForRescoring(
                    supplier.get(Long.MAX_VALUE).iterator(), reader.segment));
        vectors += supplier.cost();
      }
    }
    if (first == null || vectors == 0 || vectors > MOST) {
      return;
    }
    observed = first;
    begun = PrefetchSwitch.begin();
    prefetched = first.isOn();
    if (prefetched) {
      for (IORunnable prefetch : prefetches) {
        prefetch.run();
      }
    }
  }
}
