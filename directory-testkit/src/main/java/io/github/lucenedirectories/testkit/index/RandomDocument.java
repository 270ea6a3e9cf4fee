// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.index;

import java.util.Random;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.tests.analysis.CannedTokenStream;
import org.apache.lucene.tests.analysis.Token;
import org.apache.lucene.util.BytesRef;

/**
 * A document with fields of every kind that Lucene 9 has, all of it following from a seed. The
 * generator of the old index compiles this class with Lucene 9.
 */
public final class RandomDocument {

  static final int VECTOR_DIMENSIONS = 17;
  static final int WORDS = 300;

  /** Text with every index option, in this order, the last two with term vectors. */
  static final String[] TEXTS = {"docs", "freqs", "positions", "offsets"};

  private static final IndexOptions[] OPTIONS = {
    IndexOptions.DOCS,
    IndexOptions.DOCS_AND_FREQS,
    IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
    IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS
  };

  private final Random random;
  private final Document document = new Document();

  private RandomDocument(Random random) {
    this.random = random;
  }

  /** A document; now and then fields of one kind are missing. */
  public static Document of(String id, long seed) {
    RandomDocument made = new RandomDocument(new Random(seed));
    made.add(
        new StringField("id", id, Field.Store.YES),
        new NumericDocValuesField("updated_number", made.random.nextInt(50)),
        new BinaryDocValuesField("updated_bytes", made.bytes(5)));
    for (Runnable part :
        new Runnable[] {
          made::addText, made::addDocValues, made::addPoints, made::addStored, made::addVectors
        }) {
      if (made.random.nextInt(10) > 0) {
        part.run();
      }
    }
    return made.document;
  }

  private void add(IndexableField... fields) {
    for (IndexableField field : fields) {
      document.add(field);
    }
  }

  private void addText() {
    for (int i = 0; i < TEXTS.length; i++) {
      FieldType type = new FieldType(TextField.TYPE_STORED);
      type.setIndexOptions(OPTIONS[i]);
      type.setStored(random.nextBoolean());
      type.setOmitNorms(i == 0);
      type.setStoreTermVectors(i >= 2);
      type.setStoreTermVectorPositions(i >= 2);
      type.setStoreTermVectorOffsets(i == 3);
      add(new Field(TEXTS[i], text(), type));
    }
    Token[] tokens = new Token[1 + random.nextInt(8)];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = new Token(word(random), 1 + random.nextInt(3), i, i + 1);
      tokens[i].setPayload(random.nextBoolean() ? bytes(8) : null);
    }
    FieldType payloads = new FieldType(TextField.TYPE_NOT_STORED);
    payloads.setStoreTermVectors(true);
    payloads.setStoreTermVectorPositions(true);
    payloads.setStoreTermVectorPayloads(true);
    add(new Field("payloads", new CannedTokenStream(tokens), payloads));
  }

  private void addDocValues() {
    add(
        new NumericDocValuesField("number", anyLong()),
        new BinaryDocValuesField("bytes", bytes(40)),
        new SortedDocValuesField("sorted", new BytesRef(word(random))));
    for (int i = random.nextInt(4); i > 0; i--) {
      add(
          new SortedNumericDocValuesField("sorted_numbers", anyLong()),
          new SortedSetDocValuesField("sorted_set", new BytesRef(word(random))));
    }
  }

  private void addPoints() {
    int base = random.nextInt(1_000);
    float gauss = (float) random.nextGaussian();
    add(
        new IntPoint("point1", base),
        new LongPoint("point2", base, random.nextLong(1L << 40)),
        new FloatPoint("point3", base, random.nextFloat(), gauss),
        new DoublePoint("point4", base, random.nextDouble(), gauss, random.nextInt()));
  }

  private void addStored() {
    add(
        new StoredField("stored_text", text()),
        new StoredField("stored_bytes", bytes(2_000)),
        new StoredField("stored_int", random.nextInt()),
        new StoredField("stored_long", anyLong()),
        new StoredField("stored_float", random.nextFloat()),
        new StoredField("stored_double", random.nextGaussian()));
  }

  /**
   * Vectors of small whole numbers: their sums are exact in any order of addition, so that the
   * graphs, too, come out the same from memory segments and from the heap. One field has fractions;
   * its graph is not searched.
   */
  private void addVectors() {
    addVector("floats", wholeNumbers(random), VectorSimilarityFunction.EUCLIDEAN);
    addVector("products", wholeNumbers(random), VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT);
    addVector("fractions", fractions(random), VectorSimilarityFunction.COSINE);
    addVector("signed_bytes", signedBytes(random), VectorSimilarityFunction.EUCLIDEAN);
    addVector("byte_products", signedBytes(random), VectorSimilarityFunction.DOT_PRODUCT);
  }

  private void addVector(String name, float[] vector, VectorSimilarityFunction similarity) {
    add(new KnnFloatVectorField(name, vector, similarity));
  }

  private void addVector(String name, byte[] vector, VectorSimilarityFunction similarity) {
    add(new KnnByteVectorField(name, vector, similarity));
  }

  public static float[] wholeNumbers(Random random) {
    float[] vector = new float[VECTOR_DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = random.nextInt(-8, 9);
    }
    return vector;
  }

  static float[] fractions(Random random) {
    float[] vector = new float[VECTOR_DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = 0.1f + (float) Math.abs(random.nextGaussian());
    }
    return vector;
  }

  public static byte[] signedBytes(Random random) {
    byte[] vector = new byte[VECTOR_DIMENSIONS];
    random.nextBytes(vector);
    vector[0] = 1;
    return vector;
  }

  /** Few words are frequent, many are rare. */
  static String word(Random random) {
    double skewed = Math.pow(random.nextDouble(), 3);
    return "w" + Integer.toString((int) (skewed * WORDS), Character.MAX_RADIX);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i >= 0; i--) {
      text.append(word(random)).append(' ');
    }
    return text.toString();
  }

  private BytesRef bytes(int most) {
    byte[] bytes = new byte[random.nextInt(most) + 1];
    random.nextBytes(bytes);
    return new BytesRef(bytes);
  }

  private long anyLong() {
    return random.nextLong() >> random.nextInt(64);
  }
}
