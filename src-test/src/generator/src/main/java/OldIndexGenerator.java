import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
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
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.Version;

/** Writes an index with this version of Lucene, and what it finds in it, into a zip file. */
public final class OldIndexGenerator {

  private static final int DOCUMENTS = 300;
  private static final int HITS = 20;
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
            add(out, name, bytes);
          }
        }
      }
      add(out, "expected.tsv", expected(directory).getBytes(StandardCharsets.UTF_8));
    }
    System.out.println("Lucene " + Version.LATEST + ": " + zip + ", " + Files.size(zip) + " bytes");
  }

  private static void add(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  private static void writeIndex(Directory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(new WordAnalyzer());
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

  /** One line for each query: the query, how many hits, and the best with their scores. */
  private static String expected(Directory directory) throws IOException {
    List<String> queries = new ArrayList<>();
    for (String field : new String[] {"docs", "freqs", "positions", "offsets", "payloads"}) {
      for (String word : new String[] {"w0", "w1", "w7", "w1a", "w4f"}) {
        queries.add("term " + field + " " + word);
      }
      queries.add("all " + field + " w0 w2");
      queries.add("any " + field + " w1 w5 w2b w3c");
      queries.add("prefix " + field + " w3");
    }
    for (String field : new String[] {"positions", "offsets", "payloads"}) {
      queries.add("phrase " + field + " w0 w1");
      queries.add("phrase " + field + " w0 w0");
    }
    queries.add("range point1 100 450");
    queries.add("longest number");
    queries.add("longest updated_number");
    queries.add("nearest floats 200");
    queries.add("nearest products 200");
    StringBuilder lines = new StringBuilder();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(new BM25Similarity());
      for (String query : queries) {
        TopDocs hits = search(searcher, query.split(" "));
        lines.append(query).append('\t').append(hits.totalHits.value);
        for (ScoreDoc hit : hits.scoreDocs) {
          lines.append(String.format(Locale.ROOT, "\t%d=%s", hit.doc, hit.score));
        }
        lines.append('\n');
      }
    }
    return lines.toString();
  }

  private static TopDocs search(IndexSearcher searcher, String[] words) throws IOException {
    String field = words[1];
    if (words[0].equals("longest")) {
      Sort sort = new Sort(new SortField(field, SortField.Type.LONG, true), SortField.FIELD_DOC);
      return searcher.search(IntPoint.newRangeQuery("point1", 0, 1_000), HITS, sort, true);
    }
    Query query =
        switch (words[0]) {
          case "term" -> term(field, words[2]);
          case "all" -> bool(field, words, BooleanClause.Occur.MUST);
          case "any" -> bool(field, words, BooleanClause.Occur.SHOULD);
          case "prefix" -> new PrefixQuery(new Term(field, words[2]));
          case "phrase" -> new PhraseQuery(field, words[2], words[3]);
          case "range" ->
              IntPoint.newRangeQuery(field, Integer.parseInt(words[2]), Integer.parseInt(words[3]));
          // As many as there are candidates: each is scored, whatever way a graph is searched.
          case "nearest" ->
              new KnnFloatVectorQuery(
                  field,
                  target(),
                  DOCUMENTS,
                  IntPoint.newRangeQuery("point1", 0, Integer.parseInt(words[2])));
          default -> throw new IllegalArgumentException(words[0]);
        };
    return searcher.search(query, HITS);
  }

  private static float[] target() {
    float[] vector = new float[VECTOR_DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = i % 5 - 2;
    }
    return vector;
  }

  private static Query term(String field, String word) {
    return new TermQuery(new Term(field, word));
  }

  private static Query bool(String field, String[] words, BooleanClause.Occur occur) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (int i = 2; i < words.length; i++) {
      query.add(term(field, words[i]), occur);
    }
    return query.build();
  }

  /** Splits at spaces. */
  private static final class WordAnalyzer extends Analyzer {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      Tokenizer tokenizer = new StandardTokenizer();
      return new TokenStreamComponents(tokenizer);
    }
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
