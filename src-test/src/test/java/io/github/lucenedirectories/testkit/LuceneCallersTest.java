// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.testkit.TracingDirectory.Input;
import io.github.lucenedirectories.testkit.index.CleanIndex;
import io.github.lucenedirectories.testkit.index.OldIndex;
import io.github.lucenedirectories.testkit.index.RandomDocument;
import io.github.lucenedirectories.testkit.index.RandomIndex;
import io.github.lucenedirectories.testkit.index.RandomQueries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.backward_codecs.store.EndiannessReverserUtil;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PointsFormat;
import org.apache.lucene.codecs.PointsReader;
import org.apache.lucene.codecs.PointsWriter;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.bloom.BloomFilteringPostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104ScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene90.Lucene90PointsReader;
import org.apache.lucene.codecs.lucene90.Lucene90PointsWriter;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.simpletext.SimpleTextCodec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.PersistentSnapshotDeletionPolicy;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SortingCodecReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.misc.index.BPIndexReorderer;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.OfflineSorter;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/**
 * Compares the tables of {@code docs/lucene-callers.md} with what Lucene does: writes, updates,
 * merges, searches and checks indexes with everything in them, one thread and the same documents
 * each time.
 */
public class LuceneCallersTest extends LibraryTestCase {

  private static final String PAGE = "docs/lucene-callers.md";
  private static final Pattern PACKAGE = Pattern.compile("### `(.+)`");
  private static final Pattern ROW =
      Pattern.compile("\\| `(\\S+)` \\| `(\\S+)`(?: ×(\\d+))? \\| (\\S+) \\| (.+?) \\|.*");

  /** Choices of a context: a directory sees the call that takes it. */
  private static final Set<String> UNSEEN =
      Set.of("DEFAULT", "READONCE", "merge", "flush", "withHints", "SegmentReadState");

  private static final Sort BY_NUMBER = new Sort(new SortField("number", SortField.Type.LONG));

  /** Graphs also for few vectors. */
  private static final Codec EVERY_VECTOR_FORMAT =
      new Lucene104Codec() {
        @Override
        public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
          return switch (field) {
            case "products" -> quantized(ScalarEncoding.UNSIGNED_BYTE);
            case "floats" -> quantized(ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE);
            case "byte_products" -> new Lucene104ScalarQuantizedVectorsFormat();
            default -> new Lucene99HnswVectorsFormat(16, 100, 0);
          };
        }
      };

  private static final int DOCUMENTS = 70;
  private static final int POINTS = 9_000;

  /** What happened in all indexes. */
  private final Map<String, TracingDirectory.Row> happened = new TreeMap<>();

  private final List<Input> inputs = new ArrayList<>();

  /** What a search read while a merge had its segments open. */
  private final List<Input> searchedInMerge = new ArrayList<>();

  /** A row of the tables. What reads are known from Lucene's sources alone is in parentheses. */
  private record Row(int calls, Set<String> contexts, Set<String> reads, boolean reached) {

    /** As in {@code DEFAULT ascending/(random); MERGE whole}. */
    static Row of(int calls, String contexts, String reads) {
      Set<String> observed = new TreeSet<>();
      for (String group : reads.split("; ", -1)) {
        int words = group.indexOf(' ') + 1;
        for (String word : group.substring(words).split("/", -1)) {
          if (!word.startsWith("(")) {
            observed.add(group.substring(0, words) + word);
          }
        }
      }
      boolean reached = !observed.isEmpty();
      observed.remove("-");
      return new Row(calls, Set.of(contexts.split("/", -1)), observed, reached);
    }

    /** The contexts of merges and flushes keep no hints. */
    boolean allows(String context) {
      boolean fixed = context.equals("MERGE") || context.equals("FLUSH");
      return contexts.contains(context)
          || contexts.contains("given")
          || (contexts.stream().anyMatch(c -> c.startsWith("given")) && fixed)
          || contexts.contains(context.replaceFirst("^DEFAULT", "given"));
    }
  }

  /** The tables have every place in Lucene, and no others. */
  public void testTablesAreComplete() throws Exception {
    List<Path> jars = new ArrayList<>();
    for (Class<?> type :
        List.of(
            IndexWriter.class,
            SimpleTextCodec.class,
            EndiannessReverserUtil.class,
            BPIndexReorderer.class,
            FacetsConfig.class)) {
      jars.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    Map<String, List<String>> places = FindCallers.places(jars);
    Map<String, Row> rows = rows();
    Set<String> names = new TreeSet<>(places.keySet());
    names.addAll(rows.keySet());
    List<String> wrong = new ArrayList<>();
    for (String name : names) {
      List<String> at = places.getOrDefault(name, List.of());
      Row row = rows.get(name);
      if (row == null || row.calls != at.size()) {
        wrong.add(name + ": " + at + " in Lucene, " + row + " in the tables");
      }
    }
    assertEquals(String.join("\n", wrong), List.of(), wrong);
  }

  public void testTablesSayWhatHappens() throws Exception {
    assumeTrue("changes with Lucene alone", Sample.ALL);
    runEverything();
    Map<String, Row> rows = rows();
    List<String> wrong = new ArrayList<>();
    happened.forEach(
        (name, seen) -> {
          Row row = rows.get(name);
          if (row == null
              || !row.reached
              || !row.reads.equals(seen.reads())
              || !seen.contexts().stream().allMatch(row::allows)) {
            wrong.add(name + ": " + seen + ", not " + row);
          }
        });
    rows.forEach(
        (name, row) -> {
          boolean visible = !UNSEEN.contains(name.substring(name.indexOf(' ') + 1));
          if (visible && row.reached && !happened.containsKey(name)) {
            wrong.add("never happened: " + name);
          }
        });
    assertEquals(String.join("\n", wrong), List.of(), wrong);
    requireDifferences();
  }

  /** Fails unless what the last section of the page says of contexts has happened. */
  private void requireDifferences() {
    for (String end : List.of(".vec", ".veq", ".tmp")) {
      require(
          "merges read their " + end + " files at random",
          inputs,
          in -> in.isOfMerge() && in.name.endsWith(end) && "random".equals(in.reads()));
    }
    require(
        "a compound file has slices for a merge",
        inputs,
        in -> in.isOfMerge() && in.name.endsWith(".cfs"));
    require("searches read what a merge opened", searchedInMerge, Input::isOfMerge);
    Set<String> points = new TreeSet<>();
    require(
        "temporary points are opened twice with READONCE",
        inputs,
        in ->
            in.parent == null
                && in.name.contains("bkd")
                && TracingDirectory.words(in.context).equals("READONCE")
                && !points.add(in.name));
    for (Input in : inputs) {
      boolean opened = in.parent == null && in.isOfMerge();
      assertFalse(in.name, opened && in.name.matches(".*\\.(dvd|dvs|cfs)"));
    }
  }

  private static void require(String what, List<Input> among, Predicate<Input> condition) {
    assertTrue("never happened: " + what, among.stream().anyMatch(condition));
  }

  private static Map<String, Row> rows() throws IOException {
    Map<String, Row> rows = new TreeMap<>();
    String folder = "";
    for (String line : Files.readAllLines(Project.root().resolve(PAGE))) {
      Matcher heading = PACKAGE.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        folder = heading.group(1) + ".";
      } else if (row.matches()) {
        int calls = row.group(3) == null ? 1 : Integer.parseInt(row.group(3));
        String name = folder + row.group(1) + " " + row.group(2);
        Row before = rows.put(name, Row.of(calls, row.group(4), row.group(5)));
        assertNull("twice in the tables: " + line, before);
      }
    }
    return rows;
  }

  private TracingDirectory directory() {
    return new TracingDirectory(new ByteBuffersDirectory(), happened, inputs);
  }

  /** Nothing in it is random, and merges run in the thread that asks for them. */
  private static IndexWriterConfig config() {
    LogDocMergePolicy merges = new LogDocMergePolicy();
    merges.setMergeFactor(100);
    merges.setNoCFSRatio(0);
    return new IndexWriterConfig(new MockAnalyzer(new Random(1)))
        .setCodec(EVERY_VECTOR_FORMAT)
        .setSimilarity(new BM25Similarity())
        .setMergePolicy(merges)
        .setMergeScheduler(new SerialMergeScheduler())
        .setUseCompoundFile(false);
  }

  private static void add(IndexWriter writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      writer.addDocument(RandomIndex.document(Integer.toString(i), i));
    }
  }

  private void runEverything() throws Exception {
    TracingDirectory updated = directory();
    updateAndMerge(updated);
    compoundAndSorted();
    addIndexes(updated);
    dense();
    offlinePoints();
    offlineSort();
    snapshots();
    formats();
    oldIndex();
    inputs.forEach(Input::addReads);
  }

  /** Pooled readers before, while and after segments are updated and merged. */
  private void updateAndMerge(TracingDirectory directory) throws IOException {
    IndexWriterConfig config = config().setSoftDeletesField("soft");
    List<IndexWriter> merging = new ArrayList<>();
    config.setMergedSegmentWarmer(
        _ -> {
          // The merge has opened the segments that this reader shows.
          int before = inputs.size();
          try (DirectoryReader reader = DirectoryReader.open(merging.removeFirst())) {
            search(reader);
          }
          searchedInMerge.addAll(inputs.subList(before, inputs.size()));
        });
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      add(writer, 0, DOCUMENTS);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        search(reader);
      }
      add(writer, DOCUMENTS, 2 * DOCUMENTS);
      writer.commit();
      writer.deleteDocuments(new Term("id", "3"));
      writer.updateNumericDocValue(new Term("id", "5"), "updated_number", 7);
      writer.updateBinaryDocValue(new Term("id", "6"), "updated_bytes", new BytesRef("new"));
      writer.softUpdateDocument(
          new Term("id", "8"), RandomIndex.document("8", 8), new NumericDocValuesField("soft", 1));
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        search(reader);
        add(writer, 2 * DOCUMENTS, 3 * DOCUMENTS);
        merging.add(writer);
        writer.forceMerge(1);
        search(reader);
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        search(reader);
      }
    }
    // Updates by a writer without pooled readers.
    try (IndexWriter writer = new IndexWriter(directory, config().setSoftDeletesField("soft"))) {
      writer.updateNumericDocValue(new Term("id", "9"), "updated_number", 8);
      writer.commit();
      add(writer, 0, 10);
      writer.deleteAll();
      add(writer, 0, DOCUMENTS);
    }
    CleanIndex.check(directory);
  }

  /** Makes an index, and checks it. */
  private TracingDirectory index(IndexWriterConfig config, IOConsumer<IndexWriter> work)
      throws IOException {
    TracingDirectory directory = directory();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      work.accept(writer);
    }
    CleanIndex.check(directory);
    return directory;
  }

  private static void search(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      search(reader);
    }
  }

  private void compoundAndSorted() throws IOException {
    IndexWriterConfig compound = config().setUseCompoundFile(true);
    compound.getMergePolicy().setNoCFSRatio(1);
    for (IndexWriterConfig config : List.of(compound, config().setIndexSort(BY_NUMBER))) {
      search(
          index(
              config,
              writer -> {
                add(writer, 0, DOCUMENTS);
                writer.commit();
                add(writer, DOCUMENTS, 2 * DOCUMENTS);
                writer.updateNumericDocValue(new Term("id", "5"), "updated_number", 7);
                writer.forceMerge(1);
              }));
    }
  }

  private void addIndexes(TracingDirectory from) throws IOException {
    index(
        config().setSoftDeletesField("soft"),
        writer -> {
          writer.addIndexes(from);
          try (DirectoryReader reader = DirectoryReader.open(from)) {
            List<CodecReader> leaves = new ArrayList<>();
            reader.leaves().forEach(leaf -> leaves.add((CodecReader) leaf.reader()));
            leaves.add(SortingCodecReader.wrap(leaves.getFirst(), BY_NUMBER));
            writer.addIndexes(leaves.toArray(CodecReader[]::new));
            search(reader);
          }
        });
  }

  /** Vectors in every document, which are found without a map of the documents. */
  private void dense() throws IOException {
    Random random = new Random(5);
    TracingDirectory directory =
        index(
            config(),
            writer -> {
              for (int i = 0; i < DOCUMENTS; i++) {
                Document document = new Document();
                for (String field : List.of("floats", "products", "fractions")) {
                  document.add(new KnnFloatVectorField(field, RandomDocument.wholeNumbers(random)));
                }
                for (String field : List.of("signed_bytes", "byte_products")) {
                  document.add(new KnnByteVectorField(field, RandomDocument.signedBytes(random)));
                }
                writer.addDocument(document);
                if (i == DOCUMENTS / 2) {
                  writer.flush();
                }
              }
              writer.forceMerge(1);
            });
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (Query query : RandomQueries.nearest(random)) {
        new IndexSearcher(reader).search(query, 10);
      }
    }
  }

  /** Points that do not fit the memory that a merge sorts them in. */
  private void offlinePoints() throws IOException {
    Codec codec =
        new FilterCodec("Lucene104", new Lucene104Codec()) {
          @Override
          public PointsFormat pointsFormat() {
            return new PointsFormat() {
              @Override
              public PointsWriter fieldsWriter(SegmentWriteState state) throws IOException {
                return new Lucene90PointsWriter(state, 64, 0.01);
              }

              @Override
              public PointsReader fieldsReader(SegmentReadState state) throws IOException {
                return new Lucene90PointsReader(state);
              }
            };
          }
        };
    Random random = new Random(2);
    TracingDirectory directory =
        index(
            config().setCodec(codec),
            writer -> {
              for (int i = 0; i < 2 * POINTS; i++) {
                Document document = new Document();
                document.add(new LongPoint("point", random.nextLong(), random.nextLong()));
                document.add(
                    new NumericDocValuesField(
                        "number", random.nextLong() >>> (i < POINTS ? 60 : 1)));
                writer.addDocument(document);
                if (i == POINTS) {
                  writer.flush();
                }
              }
              writer.forceMerge(1);
            });
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      long[] high = {Long.MAX_VALUE / 2, Long.MAX_VALUE / 2};
      Query some = LongPoint.newRangeQuery("point", new long[2], high);
      assertTrue(new IndexSearcher(reader).count(some) > POINTS / 20);
    }
  }

  private void offlineSort() throws IOException {
    TracingDirectory directory = directory();
    Random random = new Random(3);
    OfflineSorter sorter =
        new OfflineSorter(
            directory,
            "sort",
            Comparator.naturalOrder(),
            OfflineSorter.BufferSize.megabytes(1),
            10,
            -1,
            null,
            0);
    for (int count : new int[] {2_000, 0}) {
      String unsorted;
      try (IndexOutput output = directory.createTempOutput("sort", "me", IOContext.DEFAULT)) {
        OfflineSorter.ByteSequencesWriter writer = new OfflineSorter.ByteSequencesWriter(output);
        byte[] bytes = new byte[1_000];
        for (int i = 0; i < count; i++) {
          random.nextBytes(bytes);
          writer.write(bytes);
        }
        CodecUtil.writeFooter(output);
        unsorted = output.getName();
      }
      directory.deleteFile(sorter.sort(unsorted));
    }
  }

  private void snapshots() throws IOException {
    TracingDirectory directory = directory();
    NRTCachingDirectory caching = new NRTCachingDirectory(directory, 1, 1);
    for (OpenMode mode : List.of(OpenMode.CREATE, OpenMode.APPEND, OpenMode.CREATE)) {
      PersistentSnapshotDeletionPolicy policy =
          new PersistentSnapshotDeletionPolicy(
              new KeepOnlyLastCommitDeletionPolicy(), directory, mode);
      try (IndexWriter writer =
          new IndexWriter(
              caching, config().setCodec(new Lucene104Codec()).setIndexDeletionPolicy(policy))) {
        add(writer, 0, 1);
        writer.commit();
        policy.snapshot();
        policy.snapshot();
      }
    }
  }

  /** The formats of lucene-codecs, and the flat vector format without a graph. */
  private void formats() throws IOException {
    for (Codec codec :
        List.of(
            RandomIndex.codec(
                new BloomFilteringPostingsFormat(PostingsFormat.forName("Lucene104"))),
            RandomIndex.codec("SimpleText"),
            RandomIndex.codec("BlockTreeOrds"),
            RandomIndex.codec("FST50"),
            RandomIndex.codec("UniformSplit"))) {
      index(
          config().setCodec(codec).setUseCompoundFile(true),
          writer -> {
            add(writer, 0, 12);
            writer.commit();
            add(writer, 12, 24);
            writer.deleteDocuments(new Term("id", "3"));
            writer.commit();
            search(writer.getDirectory());
            writer.forceMerge(1);
          });
    }
  }

  /** An index of Lucene 9.12, searched, checked and merged into a new one. */
  private void oldIndex() throws IOException {
    TracingDirectory directory = directory();
    OldIndex.copyTo(directory);
    search(directory);
    CleanIndex.check(directory);
    try (IndexWriter writer = new IndexWriter(directory, config().setCodec(new Lucene104Codec()))) {
      writer.forceMerge(1);
    }
  }

  private static KnnVectorsFormat quantized(ScalarEncoding encoding) {
    return new Lucene104HnswScalarQuantizedVectorsFormat(encoding, 16, 100, 1, null, 0);
  }

  private static void search(DirectoryReader reader) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    searcher.setSimilarity(new BM25Similarity());
    Random random = new Random(4);
    List<Query> queries = new ArrayList<>(RandomQueries.exact(random));
    queries.addAll(RandomQueries.nearest(random));
    for (Query query : queries) {
      searcher.search(query, 3);
      for (ScoreDoc hit : searcher.search(query, 1_000).scoreDocs) {
        if (hit.doc % 20 == 0) {
          searcher.storedFields().document(hit.doc);
          reader.termVectors().get(hit.doc);
        }
      }
    }
    for (Sort sort : RandomQueries.sorts()) {
      searcher.search(MatchAllDocsQuery.INSTANCE, 10, sort);
    }
    searcher.storedFields().prefetch(1);
    reader.termVectors().prefetch(1);
  }
}
