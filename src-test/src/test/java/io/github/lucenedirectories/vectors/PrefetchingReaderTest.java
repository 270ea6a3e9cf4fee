// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import static com.carrotsearch.randomizedtesting.RandomizedTest.randomFrom;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FloatVectorSimilarityQuery;
import org.apache.lucene.search.FullPrecisionFloatVectorSimilarityValuesSource;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnByteVectorQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.PatienceKnnVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.RescoreTopNQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SeededKnnVectorQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopKnnCollector;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.DiversifyingChildrenByteKnnVectorQuery;
import org.apache.lucene.search.join.DiversifyingChildrenFloatKnnVectorQuery;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.index.AssertingDirectoryReader;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;
import org.jspecify.annotations.Nullable;

/** What a search finds through a {@link PrefetchingDirectoryReader}, and what it reads when. */
public class PrefetchingReaderTest extends LibraryTestCase {

  private static final int GROUPS = 20;

  /** Also small segments get a graph. */
  private static final int ANY_SEGMENT = 0;

  private static final int NO_SEGMENT = Integer.MAX_VALUE;

  private static final Map<String, ScalarEncoding> QUANTIZED =
      Map.of(
          "bits8", ScalarEncoding.UNSIGNED_BYTE,
          "bits7", ScalarEncoding.SEVEN_BIT,
          "bits4", ScalarEncoding.PACKED_NIBBLE,
          "bits2", ScalarEncoding.DIBIT_QUERY_NIBBLE,
          "bits1", ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE);

  private static final List<String> FLOATS =
      List.of("full", "sparse", "bits8", "bits7", "bits4", "bits2", "bits1");

  private final int dimension = 2 * random().nextInt(1, 40);
  private final VectorSimilarityFunction similarity = randomFrom(VectorSimilarityFunction.values());

  private static Codec codec(int m) {
    return codec(m, ANY_SEGMENT);
  }

  /** Segments get a graph from a number of vectors on. */
  private static Codec codec(int m, int graphFrom) {
    return new Lucene104Codec() {
      @Override
      public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        ScalarEncoding encoding = QUANTIZED.get(field);
        return encoding == null
            ? new Lucene99HnswVectorsFormat(m, 50, graphFrom)
            : new Lucene104HnswScalarQuantizedVectorsFormat(encoding, m, 50, 1, null, graphFrom);
      }
    };
  }

  private float[] vector(Random random) {
    float[] vector = new float[dimension];
    double squares = 0;
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) random.nextGaussian();
      squares += vector[i] * vector[i];
    }
    for (int i = 0; i < dimension; i++) {
      vector[i] /= (float) Math.sqrt(squares);
    }
    return vector;
  }

  private byte[] bytes() {
    byte[] vector = new byte[dimension];
    random().nextBytes(vector);
    vector[0] |= 1;
    return vector;
  }

  private static IndexWriter writer(Directory directory, Codec codec, boolean compound)
      throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig()
            .setCodec(codec)
            .setUseCompoundFile(compound)
            .setMergePolicy(NoMergePolicy.INSTANCE));
  }

  private void write(Directory directory, List<String> fields, int segments) throws IOException {
    Codec codec = codec(random().nextInt(4, 17));
    try (IndexWriter writer = writer(directory, codec, random().nextBoolean())) {
      for (int segment = 0; segment < segments; segment++) {
        int documents = random().nextInt(1, DirectorySuite.rounds(250, 900));
        for (int i = 0; i < documents; i++) {
          Document document = new Document();
          document.add(new StringField("group", "" + random().nextInt(GROUPS), Field.Store.NO));
          for (String field : fields) {
            if (field.equals("bytes")) {
              document.add(new KnnByteVectorField(field, bytes(), similarity));
            } else if (!field.equals("sparse") || random().nextInt(3) == 0) {
              document.add(new KnnFloatVectorField(field, vector(random()), similarity));
            }
          }
          writer.addDocument(document);
        }
        writer.flush();
      }
      if (random().nextBoolean()) {
        writer.deleteDocuments(new Term("group", "0"));
      }
    }
  }

  /** Half of the readers wrap their segments in a class of their own, as engines do. */
  private static DirectoryReader open(Directory directory) throws IOException {
    DirectoryReader reader = DirectoryReader.open(directory);
    return random().nextBoolean()
        ? PrefetchingDirectoryReader.wrap(reader)
        : PrefetchingDirectoryReader.wrap(
            new AssertingDirectoryReader(reader), leaf -> ((FilterLeafReader) leaf).getDelegate());
  }

  private static LeafReader firstLeaf(DirectoryReader reader) {
    return reader.leaves().getFirst().reader();
  }

  /** At most {@code count} groups. */
  private static List<BytesRef> groups(int count) {
    return random().ints(count, 0, GROUPS).mapToObj(group -> new BytesRef("" + group)).toList();
  }

  private static Directory open(Path path) throws IOException {
    return switch (random().nextInt(6)) {
      case 0 -> new MappedDirectory(path);
      case 1 -> new HybridDirectory(path);
      case 2 -> new NioDirectory(path);
      case 3 -> new MMapDirectory(path);
      case 4 -> new NIOFSDirectory(path);
      default -> RamDirectory.load(new NIOFSDirectory(path));
    };
  }

  private Query query(List<String> fields, IndexSearcher searcher)
      throws IOException, ReflectiveOperationException {
    int k = random().nextInt(1, 30);
    // From one document in twenty to all but a few.
    Query filter =
        random().nextBoolean()
            ? null
            : random().nextBoolean()
                ? new TermQuery(new Term("group", "" + random().nextInt(GROUPS)))
                : new TermInSetQuery("group", groups(random().nextInt(1, 30)));
    String field = fields.get(random().nextInt(fields.size()));
    if (field.equals("bytes")) {
      KnnByteVectorQuery query = new KnnByteVectorQuery(field, bytes(), k, filter);
      return random().nextBoolean() ? query : PatienceKnnVectorQuery.fromByteQuery(query);
    }
    float[] target = vector(random());
    KnnFloatVectorQuery query = new KnnFloatVectorQuery(field, target, k, filter);
    Query others = filter == null ? new TermQuery(new Term("group", "1")) : filter;
    // Lucene asserts that there is something to rescore.
    boolean rescores = searcher.count(others) > 0 && searcher.count(query) > 0;
    return switch (random().nextInt(rescores ? 7 : 3)) {
      case 0 ->
          SeededKnnVectorQuery.fromFloatQuery(
              query, new TermQuery(new Term("group", "" + random().nextInt(GROUPS))));
      case 1 -> PatienceKnnVectorQuery.fromFloatQuery(query);
      case 2 -> similar(field, target, filter);
      case 3 ->
          RescoreTopNQuery.createFullPrecisionRescorerQuery(
              query, target, field, random().nextInt(1, k + 1));
      case 4 ->
          // Documents of a query that is not of vectors, rescored with other parts of a query.
          new BooleanQuery.Builder()
              .add(
                  new RescoreTopNQuery(
                      others, new FullPrecisionFloatVectorSimilarityValuesSource(target, field), k),
                  BooleanClause.Occur.SHOULD)
              .add(new TermQuery(new Term("group", "2")), BooleanClause.Occur.SHOULD)
              .build();
      case 5 ->
          new RescoreTopNQuery(
              filter == null ? query : others,
              new FullPrecisionFloatVectorSimilarityValuesSource(target, field),
              k);
      default -> query;
    };
  }

  private static Query similar(String field, float[] target, @Nullable Query filter)
      throws ReflectiveOperationException {
    Class<?> type = FloatVectorSimilarityQuery.class;
    if (Modifier.isAbstract(type.getModifiers())) {
      // Since Lucene 10.5.2.
      type = Class.forName(type.getName() + (random().nextBoolean() ? "$Adaptive" : "$Explicit"));
    }
    return type.asSubclass(Query.class)
        .getConstructor(String.class, float[].class, float.class, Query.class)
        .newInstance(field, target, random().nextFloat(), filter);
  }

  /** On indexes and directories of every kind, the hits are those of the reader within. */
  public void testHitsAreTheSame() throws Exception {
    List<String> fields = new ArrayList<>(FLOATS);
    fields.add("bytes");
    Path path = createTempDir();
    try (Directory directory = new NIOFSDirectory(path)) {
      write(directory, fields, random().nextInt(1, 5));
    }
    long advised = PathCounter.NATIVE_ADVICE.count();
    try (Directory directory = open(path)) {
      requireSameHits(directory, 12, searcher -> query(fields, searcher));
      if (directory instanceof MappedDirectory && TestMode.current().nativeAccess()) {
        assertTrue("nothing was prefetched", PathCounter.NATIVE_ADVICE.count() > advised);
      }
    }
  }

  private interface Queries {
    Query next(IndexSearcher searcher) throws Exception;
  }

  private static void requireSameHits(Directory directory, int searches, Queries queries)
      throws Exception {
    try (DirectoryReader plain = DirectoryReader.open(directory)) {
      IndexSearcher expected = new IndexSearcher(plain);
      for (int round = 0; round < DirectorySuite.rounds(8, 40); round++) {
        // Of a new reader, since prefetching ends after a few searches in memory.
        try (DirectoryReader reader = open(directory)) {
          IndexSearcher searcher = new PrefetchingSearcherFactory().newSearcher(reader, null);
          for (int i = 0; i < searches; i++) {
            Query query = queries.next(expected);
            assertSame(expected.search(query, 50), searcher.search(query, 50));
          }
        }
      }
    }
  }

  private static void assertSame(TopDocs expected, TopDocs actual) {
    assertEquals(expected.totalHits, actual.totalHits);
    assertEquals(expected.scoreDocs.length, actual.scoreDocs.length);
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      assertEquals(expected.scoreDocs[i].doc, actual.scoreDocs[i].doc);
      assertEquals(expected.scoreDocs[i].score, actual.scoreDocs[i].score, 0f);
    }
  }

  /** A read or prefetch of raw or quantized vectors. */
  private record Access(boolean read, String file, long pos, long length) {}

  /** Records how vectors are read. */
  private static final class Recording extends FilterDirectory {
    private final List<Access> accesses = new ArrayList<>();

    Recording(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = in.openInput(name, context);
      return name.matches(".*\\.ve[cq]") ? new Input(input, name, 0) : input;
    }

    private final class Input extends FilterIndexInput {
      private final String name;
      private final long start;

      Input(IndexInput in, String name, long start) {
        super(name, in);
        this.name = name;
        this.start = start;
      }

      private void record(boolean read, long pos, long length) {
        accesses.add(new Access(read, name, start + pos, length));
      }

      @Override
      public void prefetch(long offset, long length) {
        record(false, offset, length);
      }

      @Override
      public void readBytes(byte[] b, int offset, int len) throws IOException {
        record(true, getFilePointer(), len);
        in.readBytes(b, offset, len);
      }

      @Override
      public void readFloats(float[] floats, int offset, int len) throws IOException {
        record(true, getFilePointer(), (long) Float.BYTES * len);
        in.readFloats(floats, offset, len);
      }

      @Override
      public IndexInput clone() {
        return new Input(in.clone(), name, start);
      }

      @Override
      public IndexInput slice(String description, long offset, long length) throws IOException {
        return new Input(in.slice(description, offset, length), name, start + offset);
      }
    }
  }

  /** A reader whose searches do prefetch, for a few searches. */
  private interface Searches {
    void run(IndexSearcher searcher, List<Access> accesses) throws IOException;
  }

  private void record(String field, Searches searches) throws IOException {
    try (Directory files = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(files, codec(8), false)) {
        for (int i = 0; i < 400; i++) {
          Document document = new Document();
          document.add(new KnnFloatVectorField(field, vector(random()), similarity));
          document.add(new StringField("group", "" + i % GROUPS, Field.Store.NO));
          writer.addDocument(document);
        }
      }
      record(files, searches);
    }
  }

  private static void record(Directory files, Searches searches) throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    try (Recording directory = new Recording(files);
        DirectoryReader reader = open(directory)) {
      directory.accesses.clear();
      searches.run(new PrefetchingIndexSearcher(reader), directory.accesses);
    }
  }

  /** How many of the reads were not prefetched before. */
  private static long unannounced(List<Access> accesses) {
    List<Access> prefetched = new ArrayList<>();
    long count = 0;
    for (Access access : accesses) {
      if (!access.read) {
        prefetched.add(access);
      } else if (prefetched.stream()
          .noneMatch(
              each ->
                  each.file.equals(access.file)
                      && each.pos <= access.pos
                      && access.pos + access.length <= each.pos + each.length)) {
        count++;
      }
    }
    return count;
  }

  private static long countOf(List<Access> accesses, boolean reads) {
    return accesses.stream().filter(access -> access.read == reads).count();
  }

  /** A search reads a vector only after it was prefetched, but for the first of all. */
  public void testSearchPrefetchesWhatItScores() throws Exception {
    String field = FLOATS.get(random().nextInt(FLOATS.size()));
    record(
        field,
        (searcher, accesses) -> {
          searcher.search(new KnnFloatVectorQuery(field, vector(random()), 5), 5);
          assertTrue("few reads", countOf(accesses, true) > 20);
          // The entry point is scored alone, a quantized one in two parts.
          assertTrue(accesses.toString(), unannounced(accesses) <= 2);
        });
  }

  /** Nor is a vector read unannounced that a narrow filter accepts. */
  public void testFilteredSearchPrefetchesWhatItScores() throws Exception {
    record(
        "full",
        (searcher, accesses) -> {
          Query filter = new TermQuery(new Term("group", "3"));
          searcher.search(new KnnFloatVectorQuery("full", vector(random()), 5, filter), 5);
          assertTrue("few reads", countOf(accesses, true) >= 20);
          assertEquals(0, unannounced(accesses));
        });
  }

  /**
   * Before a search rescores, it prefetches the vectors of all candidates that have one, in all
   * segments, and no others.
   */
  public void testRescoringPrefetchesCandidates() throws Exception {
    String field = FLOATS.get(random().nextInt(1, FLOATS.size()));
    List<BytesRef> groups = groups(random().nextInt(5, 12));
    List<Integer> expected = new ArrayList<>();
    try (Directory files = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(files, codec(8, NO_SEGMENT), false)) {
        int number = 0;
        // Which documents have a vector is kept as a list, as a bit set, or not at all.
        int[] segments = {random().nextInt(500, 1_000), 13_500, random().nextInt(1, 1_000)};
        for (int segment = 0; segment < segments.length; segment++) {
          for (int i = 0; i < segments[segment]; i++) {
            BytesRef group = new BytesRef("" + random().nextInt(GROUPS));
            Document document = new Document();
            document.add(new StringField("group", group, Field.Store.NO));
            document.add(new KnnFloatVectorField("full", new float[] {1, 0}, similarity));
            if (segment == 2 || random().nextInt(3) == 0) {
              // No other vector has as many dimensions.
              float[] vector = {++number, 1, 1};
              document.add(
                  new KnnFloatVectorField(field, vector, VectorSimilarityFunction.EUCLIDEAN));
              if (groups.contains(group)) {
                expected.add(number);
              }
            }
            writer.addDocument(document);
          }
          writer.flush();
        }
      }
      record(
          files,
          (searcher, accesses) -> {
            Query filter = new TermInSetQuery("group", groups);
            searcher.search(
                RescoreTopNQuery.createFullPrecisionRescorerQuery(
                    new KnnFloatVectorQuery("full", new float[] {0, 1}, 100_000, filter),
                    new float[] {random().nextInt(5_000), 1, 1},
                    field,
                    10),
                10);
            List<Access> raw =
                accesses.stream()
                    .filter(access -> access.file.endsWith(".vec"))
                    .filter(access -> access.length == 3 * Float.BYTES)
                    .toList();
            List<Access> first = raw.stream().takeWhile(access -> !access.read).toList();
            assertEquals(expected, numbers(files, first));
            assertEquals(expected, numbers(files, raw.subList(first.size(), raw.size())));
          });
    }
  }

  /** The first dimensions of the vectors that were prefetched or read. */
  private static List<Integer> numbers(Directory files, List<Access> accesses) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (Access access : accesses) {
      try (IndexInput file = files.openInput(access.file, IOContext.DEFAULT)) {
        file.seek(access.pos);
        numbers.add((int) Float.intBitsToFloat(file.readInt()));
      }
    }
    return numbers;
  }

  /** Without such a reader there is nothing to prefetch with. */
  public void testSearcherNeedsPrefetchingReader() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, List.of("full"), 1);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IllegalArgumentException e =
            expectThrows(
                IllegalArgumentException.class,
                () -> new PrefetchingSearcherFactory().newSearcher(reader, null));
        assertTrue(
            e.getMessage(),
            String.valueOf(e.getMessage()).contains("PrefetchingDirectoryReader.wrap"));
      }
    }
  }

  /** A reopened reader is wrapped too, and what was opened for it is closed with its segments. */
  public void testReopenedReader() throws Exception {
    Path path = createTempDir();
    try (Directory directory = new MappedDirectory(path);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      DirectoryReader reader = PrefetchingDirectoryReader.wrap(DirectoryReader.open(writer));
      for (int i = 0; i < 5; i++) {
        float[] target = vector(random());
        Document document = new Document();
        document.add(new KnnFloatVectorField("full", target, similarity));
        writer.addDocument(document);
        DirectoryReader reopened = DirectoryReader.openIfChanged(reader);
        assertTrue("not wrapped", reopened instanceof PrefetchingDirectoryReader);
        reader.close();
        reader = reopened;
        ScoreDoc[] hits =
            new PrefetchingIndexSearcher(reader)
                .search(new KnnFloatVectorQuery("full", target, 1), 1)
                .scoreDocs;
        assertEquals(i, hits[0].doc);
        assertEquals(
            reader.getReaderCacheHelper().getKey(),
            FilterDirectoryReader.unwrap(reader).getReaderCacheHelper().getKey());
      }
      reader.close();
    }
  }

  /** A query that searches another index while it is rewritten, and then asks for vectors. */
  public void testSearchOfAnotherIndexWithinRewrite() throws Exception {
    try (Directory several = new ByteBuffersDirectory();
        Directory one = new ByteBuffersDirectory()) {
      write(several, List.of("full"), 3);
      write(one, List.of("full"), 1);
      try (DirectoryReader outer = open(several);
          DirectoryReader inner = open(one)) {
        Query vectors = new KnnFloatVectorQuery("full", vector(random()), 5);
        Query join =
            new Query() {
              @Override
              public Query rewrite(IndexSearcher searcher) throws IOException {
                new PrefetchingIndexSearcher(inner).search(vectors, 5);
                for (LeafReaderContext leaf : searcher.getLeafContexts()) {
                  leaf.reader().getFloatVectorValues("full");
                }
                return vectors;
              }

              @Override
              public void visit(QueryVisitor visitor) {}

              @Override
              public String toString(@Nullable String field) {
                return "join";
              }

              @Override
              public boolean equals(@Nullable Object other) {
                return this == other;
              }

              @Override
              public int hashCode() {
                return 1;
              }
            };
        assertSame(
            new IndexSearcher(outer).search(vectors, 5),
            new PrefetchingIndexSearcher(outer).search(join, 5));
      }
    }
  }

  private static @Nullable VectorField vectors(LeafReader reader, String field) throws IOException {
    return ((PrefetchingLeafReader) reader).vectors(field);
  }

  /** What is known of a core outlives the first reader of it, which refuses to search. */
  public void testFirstReaderOfCoreIsClosed() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setCodec(codec(8)))) {
      for (int i = 0; i < 100; i++) {
        Document document = new Document();
        document.add(new StringField("id", "" + i, Field.Store.NO));
        document.add(new KnnFloatVectorField("bits4", vector(random()), similarity));
        writer.addDocument(document);
      }
      writer.commit();
      DirectoryReader first = open(directory);
      LeafReader closed = firstLeaf(first);
      VectorField known = Objects.requireNonNull(vectors(closed, "bits4"));
      writer.deleteDocuments(new Term("id", "7"));
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.openIfChanged(first)) {
        first.close();
        LeafReader leaf = firstLeaf(reader);
        assertTrue(known == vectors(leaf, "bits4"));
        expectThrows(
            AlreadyClosedException.class,
            () ->
                closed.searchNearestVectors(
                    "bits4",
                    vector(random()),
                    new TopKnnCollector(5, 100),
                    AcceptDocs.fromLiveDocs(null, closed.maxDoc())));
        assertNotNull("no raw vectors", known.rawVectors(((PrefetchingLeafReader) leaf).segment));
      }
    }
  }

  /**
   * Vectors count once, however often a reader of the core is wrapped, until the core is closed.
   */
  public void testWrappedAnew() throws Exception {
    long before = VectorMemory.bytes();
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, List.of("full"), 1);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        long vectors = (long) Float.BYTES * dimension * reader.maxDoc();
        for (int i = 0; i < 3; i++) {
          LeafReader leaf = firstLeaf(PrefetchingDirectoryReader.wrap(reader));
          assertNotNull(vectors(leaf, "full"));
          assertNull(vectors(leaf, "absent"));
          // One that must not be searched past its timeout.
          DirectoryReader exitable = ExitableDirectoryReader.wrap(reader, () -> false);
          assertNull(vectors(firstLeaf(PrefetchingDirectoryReader.wrap(exitable)), "full"));
          // Unless it is known to do no harm.
          DirectoryReader within =
              PrefetchingDirectoryReader.wrap(
                  exitable, segment -> ((FilterLeafReader) segment).getDelegate());
          assertNotNull(vectors(firstLeaf(within), "full"));
          assertEquals(before + vectors, VectorMemory.bytes());
        }
      }
    }
    assertEquals(before, VectorMemory.bytes());
  }

  /** A reader that is dropped without being closed is collected, with what is known of it. */
  public void testDropped() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, List.of("full"), 1);
      WeakReference<VectorField> dropped = drop(directory);
      await(
          () -> {
            System.gc();
            try {
              // What is gone is forgotten when others are asked for.
              drop(directory);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            return dropped.get() == null;
          });
    }
  }

  private static WeakReference<VectorField> drop(Directory directory) throws IOException {
    return new WeakReference<>(vectors(firstLeaf(open(directory)), "full"));
  }

  /** A reader that cannot prefetch says so, and why. */
  public void testToString() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, List.of("full"), 1);
      try (DirectoryReader reader = open(directory)) {
        String why = "prefetches nothing: native access denied; start java with";
        assertEquals(
            reader.toString(), !TestMode.current().nativeAccess(), reader.toString().contains(why));
      }
    }
  }

  /** Of each parent the best child is found, as without prefetching. */
  public void testChildrenOfParents() throws Exception {
    Path path = createTempDir();
    try (Directory directory = new NIOFSDirectory(path)) {
      writeBlocks(directory, random().nextInt(1, 5));
    }
    BitSetProducer parents = new QueryBitSetProducer(new TermQuery(new Term("type", "parent")));
    try (Directory directory = open(path)) {
      requireSameHits(directory, 5, _ -> queryOfChildren(parents));
    }
  }

  private void writeBlocks(Directory directory, int segments) throws IOException {
    try (IndexWriter writer = writer(directory, codec(random().nextInt(4, 17)), true)) {
      for (int segment = 0; segment < segments; segment++) {
        int blocks = random().nextInt(1, DirectorySuite.rounds(100, 300));
        for (int block = 0; block < blocks; block++) {
          List<Document> documents = new ArrayList<>();
          for (int child = random().nextInt(1, 6); child > 0; child--) {
            Document document = new Document();
            document.add(new StringField("group", "" + random().nextInt(GROUPS), Field.Store.NO));
            document.add(new KnnFloatVectorField("full", vector(random()), similarity));
            document.add(new KnnFloatVectorField("bits4", vector(random()), similarity));
            document.add(new KnnByteVectorField("bytes", bytes(), similarity));
            documents.add(document);
          }
          Document parent = new Document();
          parent.add(new StringField("type", "parent", Field.Store.NO));
          documents.add(parent);
          writer.addDocuments(documents);
        }
        writer.flush();
      }
    }
  }

  /** Without a filter, and with one that accepts a twentieth up to nearly all of the children. */
  private Query queryOfChildren(BitSetProducer parents) {
    int k = random().nextInt(1, 30);
    Query filter =
        random().nextInt(3) == 0
            ? null
            : new TermInSetQuery("group", groups(random().nextInt(1, 60)));
    return switch (random().nextInt(3)) {
      case 0 ->
          new DiversifyingChildrenFloatKnnVectorQuery("full", vector(random()), filter, k, parents);
      case 1 ->
          new DiversifyingChildrenFloatKnnVectorQuery(
              "bits4", vector(random()), filter, k, parents);
      default -> new DiversifyingChildrenByteKnnVectorQuery("bytes", bytes(), filter, k, parents);
    };
  }

  /** Searches in memory end prefetching, and waits begin it again. */
  public void testSwitch() {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    PrefetchSwitch prefetches = new PrefetchSwitch();
    for (int i = 0; i < 3; i++) {
      prefetches.note(0, 0, true, 1000);
      assertTrue(prefetches.isOn());
    }
    prefetches.note(0, 16, true, 1000); // one page for 62 vectors
    for (int i = 0; i < 4; i++) {
      assertTrue(prefetches.isOn());
      prefetches.note(0, 15, true, 1000);
    }
    assertFalse(prefetches.isOn());
    prefetches.note(31, 10_000, false, 1000);
    assertFalse("few waits, each with much read around it", prefetches.isOn());
    prefetches.note(0, 31, false, 1000);
    assertFalse(prefetches.isOn());
    prefetches.note(random().nextBoolean() ? 32 : 0, 32, false, 1000);
    assertTrue(prefetches.isOn());
  }
}
