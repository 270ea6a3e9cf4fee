// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsReader;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/** A format of Lucene whose readers always prefetch. */
public abstract class PrefetchingFormat extends KnnVectorsFormat {

  /** Full-precision vectors. */
  public static final class Full extends PrefetchingFormat {
    public Full() {
      super("PrefetchingFull", Lucene99HnswVectorsFormat::new);
    }
  }

  /** Quantized vectors of four bits. */
  public static final class Bits4 extends PrefetchingFormat {
    public Bits4() {
      super("PrefetchingBits4", () -> Quantized.format(ScalarEncoding.PACKED_NIBBLE));
    }
  }

  /** Quantized vectors of one bit, with queries of four. */
  public static final class Bits1 extends PrefetchingFormat {
    public Bits1() {
      super("PrefetchingBits1", () -> Quantized.format(ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE));
    }
  }

  /** Loaded when it is used: older versions of Lucene load the other classes of this file too. */
  private static final class Quantized {
    static KnnVectorsFormat format(ScalarEncoding encoding) {
      return new Lucene104HnswScalarQuantizedVectorsFormat(encoding, 16, 100);
    }
  }

  private final Supplier<KnnVectorsFormat> in;

  private PrefetchingFormat(String name, Supplier<KnnVectorsFormat> in) {
    super(name);
    this.in = in;
  }

  @Override
  public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
    return in.get().fieldsWriter(state);
  }

  @Override
  public int getMaxDimensions(String fieldName) {
    return in.get().getMaxDimensions(fieldName);
  }

  @Override
  public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
    Lucene99HnswVectorsReader reader = (Lucene99HnswVectorsReader) in.get().fieldsReader(state);
    return new KnnVectorsReader() {
      private VectorField vectors(String field) {
        return new VectorField(
            reader,
            state.fieldInfos.fieldInfo(field),
            new PrefetchSwitch() {
              @Override
              boolean isOn() {
                return true;
              }
            });
      }

      @Override
      public void search(String field, float[] target, KnnCollector collector, AcceptDocs accept)
          throws IOException {
        VectorField.search(
            vectors(field),
            VectorEncoding.FLOAT32,
            (scorer, similarity, values) ->
                scorer.getRandomVectorScorer(similarity, values, target),
            collector,
            accept,
            () -> reader.search(field, target, collector, accept));
      }

      @Override
      public void search(String field, byte[] target, KnnCollector collector, AcceptDocs accept)
          throws IOException {
        VectorField.search(
            vectors(field),
            VectorEncoding.BYTE,
            (scorer, similarity, values) ->
                scorer.getRandomVectorScorer(similarity, values, target),
            collector,
            accept,
            () -> reader.search(field, target, collector, accept));
      }

      @Override
      public void checkIntegrity() throws IOException {
        reader.checkIntegrity();
      }

      @Override
      public FloatVectorValues getFloatVectorValues(String field) throws IOException {
        return reader.getFloatVectorValues(field);
      }

      @Override
      public ByteVectorValues getByteVectorValues(String field) throws IOException {
        return reader.getByteVectorValues(field);
      }

      @Override
      public KnnVectorsReader getMergeInstance() throws IOException {
        return reader.getMergeInstance();
      }

      @Override
      public Map<String, Long> getOffHeapByteSize(FieldInfo fieldInfo) {
        return reader.getOffHeapByteSize(fieldInfo);
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }
}
