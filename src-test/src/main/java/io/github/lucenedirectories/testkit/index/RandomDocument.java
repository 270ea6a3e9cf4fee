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
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.tests.analysis.CannedTokenStream;
import org.apache.lucene.tests.analysis.Token;
import org.apache.lucene.util.BytesRef;

/** A document with fields of every kind, all of it following from a seed. */
public final class RandomDocument {

  static final int VECTOR_DIMENSIONS = 17;
  static final int WORDS = 300;

  /** Text with every index option, in this order, the last two with term vectors. */
  static final String[] TEXTS = {"docs", "freqs", "positions", "offsets"};

  private RandomDocument() {}

  public static Document of(String id, long seed) {
    Random random = new Random(seed);
    Document document = new Document();
    document.add(new StringField("id", id, Field.Store.YES));
    document.add(new NumericDocValuesField("updated_number", random.nextInt(50)));
    document.add(new BinaryDocValuesField("updated_bytes", bytes(random, 5)));
    if (random.nextInt(10) > 0) {
      addText(document, random);
    }
    if (random.nextInt(10) > 0) {
      addDocValues(document, random);
    }
    if (random.nextInt(10) > 0) {
      addPoints(document, random);
    }
    if (random.nextInt(10) > 0) {
      addStored(document, random);
    }
    if (random.nextInt(10) > 0) {
      addVectors(document, random);
    }
    return document;
  }

  private static void addText(Document document, Random random) {
    IndexOptions[] options = {
      IndexOptions.DOCS,
      IndexOptions.DOCS_AND_FREQS,
      IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
      IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS
    };
    for (int i = 0; i < options.length; i++) {
      FieldType type = new FieldType(TextField.TYPE_STORED);
      type.setIndexOptions(options[i]);
      type.setStored(random.nextBoolean());
      type.setOmitNorms(i == 0);
      if (i >= 2) {
        type.setStoreTermVectors(true);
        type.setStoreTermVectorPositions(true);
        type.setStoreTermVectorOffsets(i == 3);
      }
      document.add(new Field(TEXTS[i], text(random), type));
    }
    Token[] tokens = new Token[1 + random.nextInt(8)];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = new Token(word(random), 1 + random.nextInt(3), i, i + 1);
      if (random.nextBoolean()) {
        tokens[i].setPayload(bytes(random, 8));
      }
    }
    FieldType payloads = new FieldType(TextField.TYPE_NOT_STORED);
    payloads.setStoreTermVectors(true);
    payloads.setStoreTermVectorPositions(true);
    payloads.setStoreTermVectorPayloads(true);
    document.add(new Field("payloads", new CannedTokenStream(tokens), payloads));
  }

  private static void addDocValues(Document document, Random random) {
    document.add(new NumericDocValuesField("number", anyLong(random)));
    document.add(NumericDocValuesField.indexedField("skipped_number", random.nextInt(1_000)));
    document.add(new BinaryDocValuesField("bytes", bytes(random, 40)));
    document.add(new SortedDocValuesField("sorted", new BytesRef(word(random))));
    for (int i = random.nextInt(4); i > 0; i--) {
      document.add(new SortedNumericDocValuesField("sorted_numbers", anyLong(random)));
      document.add(new SortedSetDocValuesField("sorted_set", new BytesRef(word(random))));
    }
  }

  private static void addPoints(Document document, Random random) {
    int base = random.nextInt(1_000);
    document.add(new IntPoint("point1", base));
    document.add(new LongPoint("point2", base, random.nextLong(1L << 40)));
    document.add(new FloatPoint("point3", base, random.nextFloat(), (float) random.nextGaussian()));
    document.add(
        new DoublePoint(
            "point4", base, random.nextDouble(), random.nextGaussian(), random.nextInt()));
  }

  private static void addStored(Document document, Random random) {
    document.add(new StoredField("stored_text", text(random)));
    document.add(new StoredField("stored_bytes", bytes(random, 2_000)));
    document.add(new StoredField("stored_int", random.nextInt()));
    document.add(new StoredField("stored_long", anyLong(random)));
    document.add(new StoredField("stored_float", random.nextFloat()));
    document.add(new StoredField("stored_double", random.nextGaussian()));
  }

  /**
   * Vectors of small whole numbers: their sums are exact in any order of addition, so that the
   * graphs, too, come out the same from memory segments and from the heap. One field has fractions;
   * its graph is not searched.
   */
  private static void addVectors(Document document, Random random) {
    document.add(
        new KnnFloatVectorField(
            "floats", wholeNumbers(random), VectorSimilarityFunction.EUCLIDEAN));
    document.add(
        new KnnFloatVectorField(
            "products", wholeNumbers(random), VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT));
    document.add(
        new KnnFloatVectorField("fractions", fractions(random), VectorSimilarityFunction.COSINE));
    document.add(
        new KnnByteVectorField(
            "signed_bytes", signedBytes(random), VectorSimilarityFunction.EUCLIDEAN));
    document.add(
        new KnnByteVectorField(
            "byte_products", signedBytes(random), VectorSimilarityFunction.DOT_PRODUCT));
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

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i >= 0; i--) {
      text.append(word(random)).append(' ');
    }
    return text.toString();
  }

  private static BytesRef bytes(Random random, int most) {
    byte[] bytes = new byte[random.nextInt(most) + 1];
    random.nextBytes(bytes);
    return new BytesRef(bytes);
  }

  private static long anyLong(Random random) {
    return random.nextLong() >> random.nextInt(64);
  }
}
