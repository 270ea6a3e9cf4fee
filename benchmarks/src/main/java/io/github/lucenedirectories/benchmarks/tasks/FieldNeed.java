// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.TextVectors;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.VectorEncoding;

/** Something that a field of the index must have. */
public record FieldNeed(String field, Feature feature) {

  public enum Feature {
    TERMS("terms", info -> info.getIndexOptions() != IndexOptions.NONE),
    POSITIONS(
        "terms with positions",
        info -> info.getIndexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0),
    NUMBER("numeric doc values", info -> info.getDocValuesType() == DocValuesType.NUMERIC),
    SORTED("sorted doc values", info -> info.getDocValuesType() == DocValuesType.SORTED),
    SORTED_SET(
        "sorted-set doc values", info -> info.getDocValuesType() == DocValuesType.SORTED_SET),
    INT_POINTS(
        "int points",
        info -> info.getPointDimensionCount() == 1 && info.getPointNumBytes() == Integer.BYTES),
    VECTORS(
        "float vectors of the text's dimensions",
        info ->
            info.getVectorDimension() == TextVectors.DIMENSIONS
                && info.getVectorEncoding() == VectorEncoding.FLOAT32),
    /** The field's info does not say it. */
    STORED("stored text", info -> true);

    private final String text;
    private final Predicate<FieldInfo> isIn;

    Feature(String text, Predicate<FieldInfo> isIn) {
      this.text = text;
      this.isIn = isIn;
    }
  }

  /* A field counts as stored if one of so many first documents has it. */
  private static final int STORED_PROBES = 100;

  boolean isMetBy(IndexReader reader, FieldInfos infos) throws IOException {
    FieldInfo info = infos.fieldInfo(field);
    return info != null
        && feature.isIn.test(info)
        && (feature != Feature.STORED || isStored(reader));
  }

  private boolean isStored(IndexReader reader) throws IOException {
    StoredFields stored = reader.storedFields();
    for (int doc = 0; doc < Math.min(reader.maxDoc(), STORED_PROBES); doc++) {
      if (stored.document(doc).get(field) != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "the index has no " + feature.text + " in field '" + field + "'";
  }
}
