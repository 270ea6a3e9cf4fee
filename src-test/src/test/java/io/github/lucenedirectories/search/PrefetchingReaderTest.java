package io.github.lucenedirectories.search;

import static com.carrotsearch.randomizedtesting.RandomizedTest.randomFrom;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
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
import org.apache.lucene.search.join.CheckJoinIndex;
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
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;
import org.jspecify.annotations.Nullable;

/** What a search finds through a {@link PrefetchingDirectoryReader}, and what it reads when. */
public class PrefetchingReaderTest extends LibraryTestCase {

  private static final int GROUPS = 20;

  /** Also small segments get a graph. */
  private static final int ANY_SEGMENT = 0;

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
    return new Lucene104Codec() {
      @Override
      public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        ScalarEncoding encoding = QUANTIZED.get(field);
        return encoding == null
            ? new Lucene99HnswVectorsFormat(m, 50, ANY_SEGMENT)
            : new Lucene104HnswScalarQuantizedVectorsFormat(encoding, m, 50, 1, null, ANY_SEGMENT);
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

  private void write(Directory directory, List<String> fields, int segments) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig()
                .setCodec(codec(random().nextInt(4, 17)))
                .setUseCompoundFile(random().nextBoolean())
                .setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int segment = 0; segment < segments; segment++) {
        int documents = random().nextInt(1, Sample.rounds(250, 900));
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

  private Query query(List<String> fields, IndexSearcher searcher) throws IOException {
    int k = random().nextInt(1, 30);
    // From one document in twenty to all but a few.
    Query filter =
        random().nextBoolean()
            ? null
            : random().nextBoolean()
                ? new TermQuery(new Term("group", "" + random().nextInt(GROUPS)))
                : new TermInSetQuery(
                    "group",
                    random()
                        .ints(random().nextInt(1, 30), 0, GROUPS)
                        .boxed()
                        .map(group -> new BytesRef("" + group))
                        .toList());
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
      case 2 -> new FloatVectorSimilarityQuery(field, target, random().nextFloat(), filter);
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

  /** On indexes and directories of every kind, the hits are those of the reader within. */
  public void testHitsAreTheSame() throws Exception {
    List<String> fields = new ArrayList<>(FLOATS);
    fields.add("bytes");
    Path path = createTempDir();
    try (Directory directory = new NIOFSDirectory(path)) {
      write(directory, fields, random().nextInt(1, 5));
    }
    long advised = PathCounter.NATIVE_ADVICE.count();
    try (Directory directory = open(path);
        DirectoryReader plain = DirectoryReader.open(directory)) {
      IndexSearcher expected = new IndexSearcher(plain);
      for (int round = 0; round < Sample.rounds(8, 40); round++) {
        // Of a new reader, since prefetching ends after a few searches in memory.
        try (DirectoryReader reader =
            PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory))) {
          IndexSearcher searcher = new PrefetchingSearcherFactory().newSearcher(reader, null);
          for (int i = 0; i < 12; i++) {
            Query query = query(fields, expected);
            assertSame(expected.search(query, 50), searcher.search(query, 50));
          }
        }
      }
      if (directory instanceof MappedDirectory && TestMode.current().nativeAccess()) {
        assertTrue("nothing was prefetched", PathCounter.NATIVE_ADVICE.count() > advised);
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

  private void record(String field, int segments, Searches searches) throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    try (Directory files = new ByteBuffersDirectory()) {
      try (IndexWriter writer =
          new IndexWriter(
              files,
              new IndexWriterConfig()
                  .setCodec(codec(8))
                  .setUseCompoundFile(false)
                  .setMergePolicy(NoMergePolicy.INSTANCE))) {
        for (int i = 0; i < segments * 400; i++) {
          Document document = new Document();
          document.add(new KnnFloatVectorField(field, vector(random()), similarity));
          document.add(new StringField("group", "" + i % GROUPS, Field.Store.NO));
          writer.addDocument(document);
          if (i % 400 == 399) {
            writer.flush();
          }
        }
      }
      try (Recording directory = new Recording(files);
          DirectoryReader reader =
              PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory))) {
        directory.accesses.clear();
        searches.run(new PrefetchingIndexSearcher(reader), directory.accesses);
      }
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
        1,
        (searcher, accesses) -> {
          searcher.search(new KnnFloatVectorQuery(field, vector(random()), 5), 5);
          assertTrue("few reads", countOf(accesses, true) > 20);
          // The entry point is scored alone, a quantized one in two parts.
          assertTrue(
              "" + unannounced(accesses) + " of " + accesses.size(), unannounced(accesses) <= 2);
        });
  }

  /** Nor is a vector read unannounced that a narrow filter accepts. */
  public void testFilteredSearchPrefetchesWhatItScores() throws Exception {
    record(
        "full",
        1,
        (searcher, accesses) -> {
          Query filter = new TermQuery(new Term("group", "3"));
          searcher.search(new KnnFloatVectorQuery("full", vector(random()), 5, filter), 5);
          assertTrue("few reads", countOf(accesses, true) >= 20);
          assertEquals(0, unannounced(accesses));
        });
  }

  /** All candidates of all segments are prefetched before the first of them is read. */
  public void testRescoringPrefetchesAllCandidatesFirst() throws Exception {
    record(
        "bits4",
        3,
        (searcher, accesses) -> {
          float[] target = vector(random());
          searcher.search(
              RescoreTopNQuery.createFullPrecisionRescorerQuery(
                  new KnnFloatVectorQuery("bits4", target, 30), target, "bits4", 10),
              10);
          List<Access> raw =
              accesses.stream()
                  .filter(access -> access.file.endsWith(".vec"))
                  // Not the header and the footer of a file.
                  .filter(access -> access.length == (long) Float.BYTES * dimension)
                  .toList();
          assertEquals(30, raw.stream().takeWhile(access -> !access.read).count());
          assertEquals(60, raw.size());
          assertEquals(0, unannounced(raw));
          assertEquals(3, raw.stream().map(Access::file).distinct().count());
        });
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
        assertEquals(reader.getReaderCacheHelper().getKey(), cacheKeyWithin(reader));
      }
      reader.close();
    }
  }

  private static IndexReader.@Nullable CacheKey cacheKeyWithin(DirectoryReader reader) {
    DirectoryReader within = FilterDirectoryReader.unwrap(reader);
    return within.getReaderCacheHelper().getKey();
  }

  /** Candidates lie far apart, and some lack the vector to rescore by. */
  public void testRescoringByAnotherField() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        int documents = 15_000; // a third is enough for a bit set in place of a list
        for (int i = 0; i < documents; i++) {
          Document document = new Document();
          if (random().nextInt(5) == 0) {
            document.add(new KnnFloatVectorField("full", vector(random()), similarity));
          }
          if (random().nextInt(3) == 0) {
            float[] number = {i + 1, 1};
            document.add(
                new KnnFloatVectorField("sparse", number, VectorSimilarityFunction.EUCLIDEAN));
          }
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      float[] target = {random().nextInt(20_000), 1};
      for (int round = 0; round < 10; round++) {
        Query query =
            RescoreTopNQuery.createFullPrecisionRescorerQuery(
                new KnnFloatVectorQuery("full", vector(random()), random().nextInt(1, 3_000)),
                target,
                "sparse",
                10);
        try (DirectoryReader plain = DirectoryReader.open(directory);
            DirectoryReader reader =
                PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory))) {
          assertSame(
              new IndexSearcher(plain).search(query, 10),
              new PrefetchingIndexSearcher(reader).search(query, 10));
        }
      }
    }
  }

  /** A query that searches another index while it is rewritten, and then asks for vectors. */
  public void testSearchOfAnotherIndexWithinRewrite() throws Exception {
    try (Directory several = new ByteBuffersDirectory();
        Directory one = new ByteBuffersDirectory()) {
      write(several, List.of("full"), 3);
      write(one, List.of("full"), 1);
      try (DirectoryReader outer = PrefetchingDirectoryReader.wrap(DirectoryReader.open(several));
          DirectoryReader inner = PrefetchingDirectoryReader.wrap(DirectoryReader.open(one))) {
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
      DirectoryReader first = PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory));
      LeafReader closed = first.leaves().getFirst().reader();
      VectorField known = Objects.requireNonNull(vectors(closed, "bits4"));
      writer.deleteDocuments(new Term("id", "7"));
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.openIfChanged(first)) {
        first.close();
        LeafReader leaf = reader.leaves().getFirst().reader();
        assertTrue(known == vectors(leaf, "bits4"));
        expectThrows(
            AlreadyClosedException.class,
            () ->
                closed.searchNearestVectors(
                    "bits4",
                    vector(random()),
                    new TopKnnCollector(5, 100),
                    AcceptDocs.fromLiveDocs(null, closed.maxDoc())));
        assertNotNull("no raw vectors", known.rawVectors(((FilterLeafReader) leaf).getDelegate()));
      }
    }
  }

  /** Vectors count once, however many readers of the core there are, until the core is closed. */
  public void testMemoryOfVectors() throws Exception {
    long before = VectorMemory.bytes();
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, List.of("full"), 1);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        long vectors = (long) Float.BYTES * dimension * reader.maxDoc();
        for (int i = 0; i < 3; i++) {
          LeafReader leaf = PrefetchingDirectoryReader.wrap(reader).leaves().getFirst().reader();
          assertNotNull(vectors(leaf, "full"));
          assertNull(vectors(leaf, "absent"));
          assertEquals(before + vectors, VectorMemory.bytes());
        }
      }
    }
    assertEquals(before, VectorMemory.bytes());
  }

  /** Wrapping a reader anew adds nothing to its segments, and does not change how others search. */
  public void testWrappedAnew() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, List.of("full"), 1);
      AtomicInteger listeners = new AtomicInteger();
      try (DirectoryReader plain = DirectoryReader.open(directory)) {
        DirectoryReader reader = new CountingReader(plain, listeners);
        for (int i = 0; i < 3; i++) {
          LeafReader leaf = PrefetchingDirectoryReader.wrap(reader).leaves().getFirst().reader();
          assertNotNull(vectors(leaf, "full"));
          // One that must not be searched past its timeout.
          LeafReader exitable =
              PrefetchingDirectoryReader.wrap(ExitableDirectoryReader.wrap(reader, () -> false))
                  .leaves()
                  .getFirst()
                  .reader();
          assertNull(vectors(exitable, "full"));
          assertEquals("of its vectors", 1, listeners.get());
        }
      }
    }
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
    DirectoryReader reader = PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory));
    return new WeakReference<>(vectors(reader.leaves().getFirst().reader(), "full"));
  }

  /** Counts who wants to know when a segment is closed. */
  private static final class CountingReader extends FilterDirectoryReader {
    private final AtomicInteger listeners;

    CountingReader(DirectoryReader in, AtomicInteger listeners) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader leaf) {
              return new CountingSegment((CodecReader) leaf, listeners);
            }
          });
      this.listeners = listeners;
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader reopened) throws IOException {
      return new CountingReader(reopened, listeners);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class CountingSegment extends FilterCodecReader {
    private final AtomicInteger listeners;

    CountingSegment(CodecReader in, AtomicInteger listeners) {
      super(in);
      this.listeners = listeners;
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      CacheHelper core = in.getCoreCacheHelper();
      return new CacheHelper() {
        @Override
        public IndexReader.CacheKey getKey() {
          return core.getKey();
        }

        @Override
        public void addClosedListener(IndexReader.ClosedListener listener) {
          listeners.incrementAndGet();
          core.addClosedListener(listener);
        }
      };
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  /** A reader that cannot prefetch says so, and why. */
  public void testToString() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, List.of("full"), 1);
      try (DirectoryReader reader =
          PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory))) {
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
    try (Directory directory = open(path);
        DirectoryReader plain = DirectoryReader.open(directory)) {
      IndexSearcher expected = new IndexSearcher(plain);
      BitSetProducer parents = new QueryBitSetProducer(new TermQuery(new Term("type", "parent")));
      CheckJoinIndex.check(plain, parents);
      for (int round = 0; round < Sample.rounds(10, 50); round++) {
        // Of a new reader, since prefetching ends after a few searches in memory.
        try (DirectoryReader reader =
            PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory))) {
          IndexSearcher searcher = new PrefetchingSearcherFactory().newSearcher(reader, null);
          for (int i = 0; i < 4; i++) {
            Query query = queryOfChildren(parents);
            assertSame(expected.search(query, 50), searcher.search(query, 50));
          }
        }
      }
    }
  }

  private void writeBlocks(Directory directory, int segments) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(codec(random().nextInt(4, 17)));
    try (IndexWriter writer =
        new IndexWriter(directory, config.setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int segment = 0; segment < segments; segment++) {
        int blocks = random().nextInt(1, Sample.rounds(100, 300));
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
    List<BytesRef> groups =
        random()
            .ints(random().nextInt(1, 60), 0, GROUPS)
            .mapToObj(group -> new BytesRef("" + group))
            .toList();
    Query filter = random().nextInt(3) == 0 ? null : new TermInSetQuery("group", groups);
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
