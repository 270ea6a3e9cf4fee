// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.codecs.lucene90.Lucene90StoredFieldsFormat;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.jspecify.annotations.Nullable;

/** A segment whose vectors and stored documents are prefetched. */
final class PrefetchingLeafReader extends FilterLeafReader {

  /** The fields of the segment's core, which all readers of the core share. */
  private final Map<String, Optional<VectorField>> fields;

  /** The segment within {@code in}, whose searches have the same hits. */
  final LeafReader segment;

  /** Decides for all segments of an index. */
  final DocumentSwitch documents;

  /** Whether it is known what a stored document needs of its chunk. */
  volatile boolean exact;

  PrefetchingLeafReader(
      LeafReader in,
      LeafReader segment,
      Map<String, Optional<VectorField>> fields,
      DocumentSwitch documents) {
    super(in);
    this.segment = segment;
    this.fields = fields;
    this.documents = documents;
    this.exact =
        unwrapped(segment) instanceof SegmentReader reader
            && Lucene90StoredFieldsFormat.Mode.BEST_SPEED
                .name()
                .equals(
                    reader.getSegmentInfo().info.getAttribute(Lucene90StoredFieldsFormat.MODE_KEY));
  }

  /**
   * The vectors of a field; null if they cannot be prefetched.
   *
   * @throws org.apache.lucene.store.AlreadyClosedException if this reader is closed: its core may
   *     be open for others
   */
  @Nullable VectorField vectors(String field) throws IOException {
    ensureOpen();
    if (in.getFieldInfos().fieldInfo(field) == null) {
      // Not remembered: callers may ask for any number of names.
      return null;
    }
    Optional<VectorField> known = fields.get(field);
    if (known == null) {
      synchronized (fields) {
        known = fields.get(field);
        if (known == null) {
          known = Optional.ofNullable(VectorField.of(segment, field));
          fields.put(field, known);
        }
      }
    }
    return known.orElse(null);
  }

  /** The segment within others, as those that leave out documents deleted softly. */
  private static LeafReader unwrapped(LeafReader segment) {
    return FilterLeafReader.unwrap(segment) instanceof CodecReader codec
        ? FilterCodecReader.unwrap(codec)
        : segment;
  }

  /** The reader of this class within others; null if there is none. */
  static @Nullable PrefetchingLeafReader find(LeafReader reader) {
    LeafReader found = reader;
    while (!(found instanceof PrefetchingLeafReader)) {
      if (!(found instanceof FilterLeafReader outer)) {
        return null;
      }
      found = outer.getDelegate();
    }
    return (PrefetchingLeafReader) found;
  }

  @Override
  public void searchNearestVectors(
      String field, float[] target, KnnCollector collector, AcceptDocs accept) throws IOException {
    VectorField.search(
        vectors(field),
        VectorEncoding.FLOAT32,
        (scorer, similarity, values) -> scorer.getRandomVectorScorer(similarity, values, target),
        collector,
        accept,
        () -> in.searchNearestVectors(field, target, collector, accept));
  }

  @Override
  public void searchNearestVectors(
      String field, byte[] target, KnnCollector collector, AcceptDocs accept) throws IOException {
    VectorField.search(
        vectors(field),
        VectorEncoding.BYTE,
        (scorer, similarity, values) -> scorer.getRandomVectorScorer(similarity, values, target),
        collector,
        accept,
        () -> in.searchNearestVectors(field, target, collector, accept));
  }

  @Override
  public FloatVectorValues getFloatVectorValues(String field) throws IOException {
    Candidates.vectorsOf(field);
    return in.getFloatVectorValues(field);
  }

  @Override
  public StoredFields storedFields() throws IOException {
    return new PrefetchingStoredFields(this, in.storedFields());
  }

  @Override
  public CacheHelper getCoreCacheHelper() {
    return in.getCoreCacheHelper();
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }
}
