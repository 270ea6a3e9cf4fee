import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
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
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.Version;

/** Writes an index with this version of Lucene into a zip file. */
public final class OldIndexGenerator {

  private static final int DOCUMENTS = 300;
  private static final int VECTOR_DIMENSIONS = 17;

  private OldIndexGenerator() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException("usage: OldIndexGenerator ZIP");
    }
    Path zip = Path.of(args[0]);
    Files.createDirectories(zip.toAbsolutePath().getParent());
    try (Directory directory = new ByteBuffersDirectory();
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      writeIndex(directory);
      for (String name : directory.listAll()) {
        if (!name.equals(IndexWriter.WRITE_LOCK_NAME)) {
          try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
            byte[] bytes = new byte[(int) in.length()];
            in.readBytes(bytes, 0, bytes.length);
            ZipEntry entry = new ZipEntry(name);
            entry.setTime(0);
            out.putNextEntry(entry);
            out.write(bytes);
            out.closeEntry();
          }
        }
      }
    }
    System.out.println("Lucene " + Version.LATEST + ": " + zip + ", " + Files.size(zip) + " bytes");
  }

  private static void writeIndex(Directory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    config.setSimilarity(new BM25Similarity());
    Random random = new Random(912);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int id = 0; id < DOCUMENTS; id++) {
        // Segments of different sizes, with and without a compound file.
        if (id == 200 || id == 230) {
          writer.commit();
        }
        writer.getConfig().setUseCompoundFile(id >= 200);
        writer.addDocument(document(Integer.toString(id), random));
      }
      writer.commit();
      for (int id = 3; id < DOCUMENTS; id += 17) {
        writer.deleteDocuments(new Term("id", Integer.toString(id)));
      }
      for (int id = 5; id < DOCUMENTS; id += 11) {
        Term term = new Term("id", Integer.toString(id));
        writer.updateNumericDocValue(term, "updated_number", 1_000 + id);
        writer.updateBinaryDocValue(term, "updated_bytes", new BytesRef("updated " + id));
      }
    }
  }

  private static Document document(String id, Random random) {
    Document document = new Document();
    document.add(new StringField("id", id, Field.Store.YES));
    document.add(new NumericDocValuesField("updated_number", random.nextInt(50)));
    document.add(new BinaryDocValuesField("updated_bytes", bytes(random, 5)));
    addText(document, random);
    if (random.nextInt(10) > 0) {
      document.add(new NumericDocValuesField("number", anyLong(random)));
      document.add(new NumericDocValuesField("skipped_number", random.nextInt(1_000)));
      document.add(new BinaryDocValuesField("bytes", bytes(random, 40)));
      document.add(new SortedDocValuesField("sorted", new BytesRef(word(random))));
      for (int i = random.nextInt(4); i > 0; i--) {
        document.add(new SortedNumericDocValuesField("sorted_numbers", anyLong(random)));
        document.add(new SortedSetDocValuesField("sorted_set", new BytesRef(word(random))));
      }
    }
    int base = random.nextInt(1_000);
    document.add(new IntPoint("point1", base));
    document.add(new LongPoint("point2", base, random.nextLong(1L << 40)));
    document.add(new FloatPoint("point3", base, random.nextFloat(), (float) random.nextGaussian()));
    document.add(
        new DoublePoint(
            "point4", base, random.nextDouble(), random.nextGaussian(), random.nextInt()));
    document.add(new StoredField("stored_text", text(random)));
    document.add(new StoredField("stored_bytes", bytes(random, 100)));
    document.add(new StoredField("stored_int", random.nextInt()));
    document.add(new StoredField("stored_long", anyLong(random)));
    document.add(new StoredField("stored_float", random.nextFloat()));
    document.add(new StoredField("stored_double", random.nextGaussian()));
    if (random.nextInt(10) > 0) {
      addVectors(document, random);
    }
    return document;
  }

  private static void addText(Document document, Random random) {
    String[] names = {"docs", "freqs", "positions", "offsets"};
    IndexOptions[] options = {
      IndexOptions.DOCS,
      IndexOptions.DOCS_AND_FREQS,
      IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
      IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS
    };
    for (int i = 0; i < names.length; i++) {
      FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
      type.setIndexOptions(options[i]);
      type.setOmitNorms(i == 0);
      if (i >= 2) {
        type.setStoreTermVectors(true);
        type.setStoreTermVectorPositions(true);
        type.setStoreTermVectorOffsets(i == 3);
      }
      document.add(new Field(names[i], text(random), type));
    }
    FieldType payloads = new FieldType(TextField.TYPE_NOT_STORED);
    payloads.setStoreTermVectors(true);
    payloads.setStoreTermVectorPositions(true);
    payloads.setStoreTermVectorPayloads(true);
    document.add(new Field("payloads", new PayloadStream(random), payloads));
  }

  private static void addVectors(Document document, Random random) {
    document.add(
        new KnnFloatVectorField(
            "floats", wholeNumbers(random), VectorSimilarityFunction.EUCLIDEAN));
    document.add(
        new KnnFloatVectorField(
            "products", wholeNumbers(random), VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT));
    float[] fractions = new float[VECTOR_DIMENSIONS];
    for (int i = 0; i < fractions.length; i++) {
      fractions[i] = 0.1f + (float) Math.abs(random.nextGaussian());
    }
    document.add(
        new KnnFloatVectorField(
            "fractions", VectorUtil.l2normalize(fractions), VectorSimilarityFunction.COSINE));
    byte[] bytes = new byte[VECTOR_DIMENSIONS];
    random.nextBytes(bytes);
    bytes[0] = 1;
    document.add(new KnnByteVectorField("signed_bytes", bytes, VectorSimilarityFunction.EUCLIDEAN));
    document.add(
        new KnnByteVectorField("byte_products", bytes, VectorSimilarityFunction.DOT_PRODUCT));
  }

  private static float[] wholeNumbers(Random random) {
    float[] vector = new float[VECTOR_DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = random.nextInt(-8, 9);
    }
    return vector;
  }

  private static String word(Random random) {
    double skewed = Math.pow(random.nextDouble(), 3);
    return "w" + Integer.toString((int) (skewed * 300), Character.MAX_RADIX);
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

  /** A few random words, some with a payload. */
  private static final class PayloadStream extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PayloadAttribute payload = addAttribute(PayloadAttribute.class);
    private final Random random;
    private int left;

    PayloadStream(Random random) {
      this.random = new Random(random.nextLong());
      this.left = 1 + random.nextInt(8);
    }

    @Override
    public boolean incrementToken() {
      if (left-- == 0) {
        return false;
      }
      clearAttributes();
      term.append(word(random));
      payload.setPayload(random.nextBoolean() ? bytes(random, 8) : null);
      return true;
    }
  }
}
