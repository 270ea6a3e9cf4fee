// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import java.util.Set;
import org.apache.lucene.codecs.hnsw.FlatVectorScorerUtil;
import org.apache.lucene.codecs.hnsw.FlatVectorsScorer;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104ScalarQuantizedVectorScorer;
import org.apache.lucene.codecs.lucene95.HasIndexSlice;
import org.apache.lucene.codecs.lucene99.Lucene99FlatVectorsReader;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsReader;
import org.apache.lucene.codecs.perfield.PerFieldKnnVectorsFormat;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.Version;
import org.apache.lucene.util.hnsw.HnswGraph;
import org.apache.lucene.util.hnsw.HnswGraphSearcher;
import org.apache.lucene.util.hnsw.OrdinalTranslatedKnnCollector;
import org.apache.lucene.util.hnsw.RandomVectorScorer;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues;
import org.jspecify.annotations.Nullable;

/** The vectors of a field of a segment in a format of Lucene 10.5. Any thread may use it. */
final class VectorField {

  /** Older versions of Lucene lack some of the classes and methods that are called here. */
  static final boolean SUPPORTED = Version.LATEST.onOrAfter(Version.fromBits(10, 5, 0));

  private static final FlatVectorsScorer PLAIN =
      FlatVectorScorerUtil.getLucene99FlatVectorsScorer();

  /** For quantized vectors and others. */
  private static final FlatVectorsScorer SCORER =
      SUPPORTED ? new Lucene104ScalarQuantizedVectorScorer(PLAIN) : PLAIN;

  /** The formats that score with it. Others may read the same files, but score in another way. */
  private static final Set<String> FORMATS =
      Set.of("Lucene99HnswVectorsFormat", Lucene104HnswScalarQuantizedVectorsFormat.NAME);

  /** A filter is narrow if it accepts at most one vector of this many. */
  private static final int NARROW_SHARE = 4;

  private final Lucene99HnswVectorsReader reader;
  private final FieldInfo info;
  private final PrefetchSwitch prefetches;

  /** Whether to call {@link #prefetchForRescoring}. */
  final PrefetchSwitch rescores = new PrefetchSwitch();

  /** A second reader of a quantized field's raw vectors, because Lucene hides where they lie. */
  private @Nullable Lucene99FlatVectorsReader raw;

  private boolean rawOpened;

  /** The scorer of a search's target. */
  interface Scorers {
    RandomVectorScorer over(
        FlatVectorsScorer scorer, VectorSimilarityFunction similarity, KnnVectorValues values)
        throws IOException;
  }

  VectorField(Lucene99HnswVectorsReader reader, FieldInfo info, PrefetchSwitch prefetches) {
    this.prefetches = prefetches;
    this.reader = reader;
    this.info = info;
  }

  /** Returns null if the field has no vectors or another format, or if Lucene is too old. */
  static @Nullable VectorField of(LeafReader leaf, String name) throws IOException {
    FieldInfo info = leaf.getFieldInfos().fieldInfo(name);
    if (SUPPORTED
        && info != null
        && FORMATS.contains(
            String.valueOf(info.getAttribute(PerFieldKnnVectorsFormat.PER_FIELD_FORMAT_KEY)))
        // The search of a CodecReader is that of its vector reader.
        && leaf instanceof CodecReader codec
        && codec.getVectorReader() instanceof PerFieldKnnVectorsFormat.FieldsReader fields
        && fields.getFieldReader(name) instanceof Lucene99HnswVectorsReader reader) {
      VectorField field = new VectorField(reader, info, new PrefetchSwitch());
      IndexReader.CacheHelper core = leaf.getCoreCacheHelper();
      if (core != null && field.values() instanceof HasIndexSlice values) {
        VectorMemory.count(core, values.getSlice() == null ? 0 : values.getSlice().length());
      }
      return field;
    }
    return null;
  }

  /** Searches a field; by {@code plain} if it is null or its vectors have another encoding. */
  static void search(
      @Nullable VectorField field,
      VectorEncoding target,
      Scorers scorers,
      KnnCollector collector,
      AcceptDocs accept,
      IORunnable plain)
      throws IOException {
    if (field == null || field.info.getVectorEncoding() != target || !field.prefetches.observes()) {
      plain.run();
      return;
    }
    long visited = collector.visitedCount();
    long[] begun = PrefetchSwitch.begin();
    boolean prefetched =
        field.prefetches.isOn() && field.prefetchingSearch(collector, accept, scorers);
    if (!prefetched) {
      plain.run();
    }
    field.prefetches.end(begun, prefetched, collector.visitedCount() - visited);
  }

  private KnnVectorValues values() throws IOException {
    if (info.getVectorEncoding() == VectorEncoding.BYTE) {
      return reader.getByteVectorValues(info.name);
    }
    return reader.getQuantizedVectorValues(info.name) instanceof QuantizedByteVectorValues quantized
        ? quantized
        : reader.getFloatVectorValues(info.name);
  }

  private boolean prefetchingSearch(KnnCollector collector, AcceptDocs accept, Scorers scorers)
      throws IOException {
    KnnVectorValues values = values();
    VectorData data = VectorData.of(values, VectorMemory.fits());
    if (data == null || collector.k() == 0) {
      return false;
    }
    RandomVectorScorer plain = scorers.over(SCORER, info.getVectorSimilarityFunction(), values);
    // Prefetches the vectors of a batch, such as the neighbours of a node, before it scores them.
    RandomVectorScorer scorer =
        new RandomVectorScorer.AbstractRandomVectorScorer(values) {
          @Override
          public float bulkScore(int[] nodes, float[] scores, int count) throws IOException {
            data.prefetch(nodes, count);
            return plain.bulkScore(nodes, scores, count);
          }

          @Override
          public float score(int node) throws IOException {
            return plain.score(node);
          }
        };
    HnswGraph graph = reader.getGraph(info.name);
    int accepted = Math.min(accept.cost(), graph.size());
    Bits acceptedOrds = scorer.getAcceptOrds(accept.bits());
    // The decision of Lucene99HnswVectorsReader.
    if (collector.k() < scorer.maxOrd()
        && graph.size() > 0
        && HnswGraphSearcher.expectedVisitedNodes(collector.k(), graph.size()) < accepted) {
      KnnCollector ofOrds = new OrdinalTranslatedKnnCollector(collector, scorer::ordToDoc);
      HnswGraphSearcher.search(scorer, ofOrds, graph, acceptedOrds, accepted);
      return true;
    }
    if (acceptedOrds == null || accepted > scorer.maxOrd() / NARROW_SHARE) {
      // Nearly all vectors are read in order, which the kernel's read-ahead detects.
      return false;
    }
    scoreAccepted(scorer, collector, acceptedOrds);
    return true;
  }

  private static void scoreAccepted(
      RandomVectorScorer scorer, KnnCollector collector, Bits accepted) throws IOException {
    int[] ords = new int[Lucene99HnswVectorsReader.EXHAUSTIVE_BULK_SCORE_ORDS];
    float[] scores = new float[ords.length];
    int ord = 0;
    while (ord < scorer.maxOrd() && !collector.earlyTerminated()) {
      int count = 0;
      for (; ord < scorer.maxOrd() && count < ords.length; ord++) {
        if (accepted.get(ord)) {
          ords[count++] = ord;
        }
      }
      collector.incVisitedCount(count);
      if (count > 0
          && scorer.bulkScore(ords, scores, count) > collector.minCompetitiveSimilarity()) {
        for (int i = 0; i < count; i++) {
          collector.collect(scorer.ordToDoc(ords[i]), scores[i]);
        }
      }
    }
  }

  /**
   * Prefetches the full-precision vectors of documents, in ascending order.
   *
   * @param segment an open reader of the segment
   */
  void prefetchForRescoring(DocIdSetIterator docs, LeafReader segment) throws IOException {
    if (info.getVectorEncoding() != VectorEncoding.FLOAT32) {
      return;
    }
    KnnVectorValues values = values();
    if (values instanceof QuantizedByteVectorValues) {
      values = rawVectors(segment);
    }
    VectorData data = values == null ? null : VectorData.of(values, false);
    if (values == null || data == null) {
      return;
    }
    int[] ords = new int[16];
    int count = 0;
    KnnVectorValues.DocIndexIterator vectors = values.iterator();
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      // An iterator must not go back if a document has no vector.
      int next = vectors.docID() < doc ? vectors.advance(doc) : vectors.docID();
      if (next == doc) {
        ords = ArrayUtil.grow(ords, count + 1);
        ords[count++] = vectors.index();
      }
    }
    data.prefetch(ords, count);
  }

  synchronized @Nullable KnnVectorValues rawVectors(LeafReader segment) throws IOException {
    if (!rawOpened) {
      raw = RawVectors.open(segment, info);
      rawOpened = true;
    }
    return raw == null ? null : raw.getFloatVectorValues(info.name);
  }
}
