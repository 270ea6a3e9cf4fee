package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.TextVectors;
import java.io.IOException;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.VectorEncoding;

/** Something that a field of the index must have. */
public record FieldNeed(String field, Feature feature) {

  /** What a field can have. */
  public enum Feature {
    TERMS("terms"),
    POSITIONS("terms with positions"),
    NUMBER("numeric doc values"),
    SORTED("sorted doc values"),
    SORTED_SET("sorted-set doc values"),
    INT_POINTS("int points"),
    VECTORS("float vectors of the text's dimensions"),
    STORED("stored text");

    private final String text;

    Feature(String text) {
      this.text = text;
    }
  }

  /* A field counts as stored if one of so many first documents has it. */
  private static final int STORED_PROBES = 100;

  /** Whether the index has it. */
  public boolean isMetBy(IndexReader reader) throws IOException {
    if (feature == Feature.STORED) {
      return isStored(reader);
    }
    FieldInfo info = FieldInfos.getMergedFieldInfos(reader).fieldInfo(field);
    if (info == null) {
      return false;
    }
    return switch (feature) {
      case TERMS -> info.getIndexOptions() != IndexOptions.NONE;
      case POSITIONS ->
          info.getIndexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0;
      case NUMBER -> info.getDocValuesType() == DocValuesType.NUMERIC;
      case SORTED -> info.getDocValuesType() == DocValuesType.SORTED;
      case SORTED_SET -> info.getDocValuesType() == DocValuesType.SORTED_SET;
      case INT_POINTS ->
          info.getPointDimensionCount() == 1 && info.getPointNumBytes() == Integer.BYTES;
      case VECTORS ->
          info.getVectorDimension() == TextVectors.DIMENSIONS
              && info.getVectorEncoding() == VectorEncoding.FLOAT32;
      case STORED -> false;
    };
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
