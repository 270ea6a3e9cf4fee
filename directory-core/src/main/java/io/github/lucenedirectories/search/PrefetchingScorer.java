package io.github.lucenedirectories.search;

import java.io.IOException;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.hnsw.RandomVectorScorer;

/** Prefetches the vectors of a batch, such as the neighbours of a node, before it scores them. */
final class PrefetchingScorer implements RandomVectorScorer {

  private final RandomVectorScorer in;
  private final VectorData data;

  PrefetchingScorer(RandomVectorScorer in, VectorData data) {
    this.in = in;
    this.data = data;
  }

  @Override
  public float bulkScore(int[] nodes, float[] scores, int count) throws IOException {
    data.prefetch(nodes, count);
    return in.bulkScore(nodes, scores, count);
  }

  @Override
  public float score(int node) throws IOException {
    return in.score(node);
  }

  @Override
  public int maxOrd() {
    return in.maxOrd();
  }

  @Override
  public int ordToDoc(int ord) {
    return in.ordToDoc(ord);
  }

  @Override
  public Bits getAcceptOrds(Bits acceptDocs) {
    return in.getAcceptOrds(acceptDocs);
  }
}
