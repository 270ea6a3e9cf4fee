package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.testkit.index.OldIndex;
import io.github.lucenedirectories.testkit.index.RandomDocument;
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
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import org.apache.lucene.index.CheckIndex;
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
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.OfflineSorter;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/**
 * Compares the tables of {@code docs/lucene-callers.md} with what Lucene does: writes, updates,
 * merges, searches and checks indexes with everything in them, one thread and the same documents
 * each time.
 */
@LuceneTestCase.SuppressSysoutChecks(bugUrl = "The rows that were not reached are listed.")
public class LuceneCallersTest extends LibraryTestCase {

  private static final String PAGE = "docs/lucene-callers.md";
  private static final Pattern PACKAGE = Pattern.compile("### `(.+)`");
  private static final Pattern ROW =
      Pattern.compile("\\| `(\\S+)` \\| `(\\S+)`(?: ×\\d+)? \\| (\\S+) \\| (.+?) \\|.*");
  private static final Pattern REACHED =
      Pattern.compile("The run reaches (\\d+) of the (\\d+) rows that a directory can see");

  /** Choices of a context: a directory sees the call that takes it. */
  private static final Set<String> UNSEEN =
      Set.of("DEFAULT", "READONCE", "merge", "flush", "withHints", "SegmentReadState");

  private static final int DOCUMENTS = 70;
  private static final int POINTS = 9_000;

  /** What happened in all indexes. */
  private final Map<String, TracingDirectory.Row> happened = new TreeMap<>();

  private final List<TracingDirectory> directories = new ArrayList<>();

  /** What a search read while a merge had its segments open. */
  private final List<TracingDirectory.Traced> searchedInMerge = new ArrayList<>();

  /** A row of the tables. What reads are known from Lucene's sources alone is in parentheses. */
  private record Row(Set<String> contexts, Set<String> reads, boolean reached) {

    /** As in {@code DEFAULT ascending/(random); MERGE whole}. */
    static Row of(String contexts, String reads) {
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
      return new Row(Set.of(contexts.split("/", -1)), observed, reached);
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

  public void testTablesSayWhatHappens() throws Exception {
    assumeTrue("changes with Lucene alone", Sample.ALL);
    runEverything();
    List<String> lines = Files.readAllLines(page());
    Map<String, Row> rows = rows(lines);
    List<String> wrong = new ArrayList<>();
    for (var entry : happened.entrySet()) {
      Row row = rows.get(entry.getKey());
      TracingDirectory.Row seen = entry.getValue();
      if (row == null) {
        wrong.add("no row: " + entry.getKey() + " " + seen.contexts + " " + seen.reads);
        continue;
      }
      for (String context : seen.contexts) {
        if (!row.allows(context)) {
          wrong.add(entry.getKey() + ": context " + context + ", not " + row.contexts);
        }
      }
      if (!row.reached || !row.reads.equals(seen.reads)) {
        wrong.add(entry.getKey() + ": reads " + seen.reads + ", not " + row.reads);
      }
    }
    List<String> notReached = new ArrayList<>();
    int visible = 0;
    for (var entry : rows.entrySet()) {
      if (UNSEEN.contains(entry.getKey().substring(entry.getKey().indexOf(' ') + 1))) {
        continue;
      }
      visible++;
      if (!happened.containsKey(entry.getKey())) {
        notReached.add(entry.getKey());
        if (entry.getValue().reached) {
          wrong.add("never happened: " + entry.getKey());
        }
      }
    }
    Logger.getLogger(getClass().getName())
        .info(notReached.size() + " rows not reached:\n" + String.join("\n", notReached));
    String counted =
        lines.stream()
            .map(REACHED::matcher)
            .filter(Matcher::find)
            .map(found -> found.group(1) + " of " + found.group(2))
            .findFirst()
            .orElse("no count");
    if (!counted.equals(visible - notReached.size() + " of " + visible)) {
      wrong.add(
          "the page counts " + counted + ": " + (visible - notReached.size()) + " of " + visible);
    }
    wrong.addAll(differencesThatAreNone());
    assertTrue(String.join("\n", wrong), wrong.isEmpty());
  }

  /** What the last section of the page says of contexts, as far as it did not happen. */
  private List<String> differencesThatAreNone() {
    List<TracingDirectory.Traced> inputs =
        directories.stream().flatMap(directory -> directory.inputs.stream()).toList();
    Map<String, Predicate<TracingDirectory.Traced>> happened = new TreeMap<>();
    for (String end : List.of(".vec", ".veq", ".tmp")) {
      happened.put(
          "merges read their " + end + " files at random",
          input ->
              input.name.endsWith(end)
                  && input.context.equals("MERGE")
                  && "random".equals(input.reads()));
    }
    happened.put(
        "a compound file has slices for a merge",
        input -> input.name.endsWith(".cfs") && input.context.equals("MERGE"));
    List<String> none = new ArrayList<>();
    happened.forEach(
        (claim, event) -> {
          if (inputs.stream().noneMatch(event)) {
            none.add("never happened: " + claim);
          }
        });
    if (searchedInMerge.stream().noneMatch(input -> input.context.equals("MERGE"))) {
      none.add("never happened: searches read what a merge opened");
    }
    Set<String> once = new TreeSet<>();
    boolean again = false;
    for (TracingDirectory.Traced input : inputs) {
      if (input.parent == null) {
        again |=
            input.name.contains("bkd") && input.context.equals("READONCE") && !once.add(input.name);
        if (input.context.equals("MERGE") && input.name.matches(".*\\.(dvd|dvs|cfs)")) {
          none.add("opened with MERGE: " + input.name);
        }
      }
    }
    if (!again) {
      none.add("never happened: temporary points are opened twice with READONCE");
    }
    return none;
  }

  /** The page in the folder that the tests run in or in one above. */
  private static Path page() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      Path page = folder.resolve(PAGE);
      if (Files.exists(page)) {
        return page;
      }
    }
    throw new AssertionError("no " + PAGE);
  }

  private static Map<String, Row> rows(List<String> lines) {
    Map<String, Row> rows = new TreeMap<>();
    String folder = "";
    for (String line : lines) {
      Matcher heading = PACKAGE.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        folder = heading.group(1) + ".";
      } else if (row.matches()) {
        rows.put(folder + row.group(1) + " " + row.group(2), Row.of(row.group(3), row.group(4)));
      }
    }
    return rows;
  }

  private TracingDirectory directory() {
    TracingDirectory directory = new TracingDirectory(new ByteBuffersDirectory());
    directories.add(directory);
    return directory;
  }

  /** Nothing in it is random, and merges run in the thread that asks for them. */
  private static IndexWriterConfig config(Codec codec) {
    LogDocMergePolicy merges = new LogDocMergePolicy();
    merges.setMergeFactor(100);
    merges.setNoCFSRatio(0);
    return new IndexWriterConfig(new MockAnalyzer(new Random(1)))
        .setCodec(codec)
        .setSimilarity(new BM25Similarity())
        .setMergePolicy(merges)
        .setMergeScheduler(new SerialMergeScheduler())
        .setUseCompoundFile(false);
  }

  private static void add(IndexWriter writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      writer.addDocument(RandomDocument.of(Integer.toString(i), i));
    }
  }

  private void runEverything() throws Exception {
    TracingDirectory updated = directory();
    updateAndMerge(updated);
    compound();
    sorted();
    addIndexes(updated);
    dense();
    offlinePoints();
    offlineSort();
    snapshots();
    formats();
    oldIndex();
    for (TracingDirectory directory : directories) {
      directory
          .rows()
          .forEach(
              (name, row) -> {
                TracingDirectory.Row all =
                    happened.computeIfAbsent(name, _ -> new TracingDirectory.Row());
                all.contexts.addAll(row.contexts);
                all.reads.addAll(row.reads);
              });
      directory.close();
    }
  }

  /** Pooled readers before, while and after segments are updated and merged. */
  private void updateAndMerge(TracingDirectory directory) throws IOException {
    IndexWriterConfig config = config(everyVectorFormat()).setSoftDeletesField("soft");
    List<IndexWriter> merging = new ArrayList<>();
    config.setMergedSegmentWarmer(
        _ -> {
          // The merge has opened the segments that this reader shows.
          int before = directory.inputs.size();
          try (DirectoryReader reader = DirectoryReader.open(merging.removeFirst())) {
            search(reader);
          }
          searchedInMerge.addAll(directory.inputs.subList(before, directory.inputs.size()));
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
          new Term("id", "8"), RandomDocument.of("8", 8), new NumericDocValuesField("soft", 1));
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
    try (IndexWriter writer =
        new IndexWriter(directory, config(everyVectorFormat()).setSoftDeletesField("soft"))) {
      writer.updateNumericDocValue(new Term("id", "9"), "updated_number", 8);
      writer.commit();
      add(writer, 0, 10);
      writer.deleteAll();
      add(writer, 0, DOCUMENTS);
    }
    check(directory);
  }

  private void compound() throws IOException {
    TracingDirectory directory = directory();
    IndexWriterConfig config = config(everyVectorFormat()).setUseCompoundFile(true);
    config.getMergePolicy().setNoCFSRatio(1);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      add(writer, 0, DOCUMENTS);
      writer.commit();
      add(writer, DOCUMENTS, 2 * DOCUMENTS);
      writer.updateNumericDocValue(new Term("id", "5"), "updated_number", 7);
      writer.forceMerge(1);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      search(reader);
    }
    check(directory);
  }

  private void sorted() throws IOException {
    TracingDirectory directory = directory();
    Sort sort = new Sort(new SortField("number", SortField.Type.LONG));
    IndexWriterConfig config = config(everyVectorFormat()).setIndexSort(sort);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      add(writer, 0, DOCUMENTS);
      writer.commit();
      add(writer, DOCUMENTS, 2 * DOCUMENTS);
      writer.forceMerge(1);
    }
    check(directory);
  }

  private void addIndexes(TracingDirectory from) throws IOException {
    TracingDirectory directory = directory();
    try (IndexWriter writer =
            new IndexWriter(directory, config(everyVectorFormat()).setSoftDeletesField("soft"));
        DirectoryReader reader = DirectoryReader.open(from)) {
      writer.addIndexes(from);
      List<CodecReader> leaves = new ArrayList<>(leaves(reader));
      Sort sort = new Sort(new SortField("number", SortField.Type.LONG));
      leaves.add(SortingCodecReader.wrap(leaves.getFirst(), sort));
      writer.addIndexes(leaves.toArray(CodecReader[]::new));
      search(reader);
    }
    check(directory);
  }

  /** Vectors in every document, which are found without a map of the documents. */
  private void dense() throws IOException {
    TracingDirectory directory = directory();
    Random random = new Random(5);
    try (IndexWriter writer = new IndexWriter(directory, config(everyVectorFormat()))) {
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
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (Query query : RandomQueries.nearest(random)) {
        new IndexSearcher(reader).search(query, 10);
      }
    }
    check(directory);
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
    TracingDirectory directory = directory();
    Random random = new Random(2);
    try (IndexWriter writer = new IndexWriter(directory, config(codec))) {
      for (int i = 0; i < 2 * POINTS; i++) {
        Document document = new Document();
        document.add(new LongPoint("point", random.nextLong(), random.nextLong()));
        document.add(
            new NumericDocValuesField("number", random.nextLong() >>> (i < POINTS ? 60 : 1)));
        writer.addDocument(document);
        if (i == POINTS) {
          writer.flush();
        }
      }
      writer.forceMerge(1);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      long[] low = {0, 0};
      long[] high = {Long.MAX_VALUE / 2, Long.MAX_VALUE / 2};
      assertTrue(
          new IndexSearcher(reader).count(LongPoint.newRangeQuery("point", low, high))
              > POINTS / 20);
    }
    check(directory);
  }

  private void offlineSort() throws IOException {
    TracingDirectory directory = directory();
    Random random = new Random(3);
    String unsorted;
    try (IndexOutput output = directory.createTempOutput("sort", "me", IOContext.DEFAULT)) {
      OfflineSorter.ByteSequencesWriter writer = new OfflineSorter.ByteSequencesWriter(output);
      byte[] bytes = new byte[1_000];
      for (int i = 0; i < 2_000; i++) {
        random.nextBytes(bytes);
        writer.write(bytes);
      }
      CodecUtil.writeFooter(output);
      unsorted = output.getName();
    }
    String empty;
    try (IndexOutput output = directory.createTempOutput("sort", "me", IOContext.DEFAULT)) {
      CodecUtil.writeFooter(output);
      empty = output.getName();
    }
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
    directory.deleteFile(sorter.sort(unsorted));
    directory.deleteFile(sorter.sort(empty));
  }

  private void snapshots() throws IOException {
    TracingDirectory directory = directory();
    NRTCachingDirectory caching = new NRTCachingDirectory(directory, 1, 1);
    for (OpenMode mode : List.of(OpenMode.CREATE, OpenMode.APPEND, OpenMode.CREATE)) {
      PersistentSnapshotDeletionPolicy policy =
          new PersistentSnapshotDeletionPolicy(
              new KeepOnlyLastCommitDeletionPolicy(), directory, mode);
      try (IndexWriter writer =
          new IndexWriter(caching, config(new Lucene104Codec()).setIndexDeletionPolicy(policy))) {
        add(writer, 0, 1);
        writer.commit();
        policy.snapshot();
        policy.snapshot();
      }
    }
  }

  /** The formats of lucene-codecs, and the flat vector format without a graph. */
  private void formats() throws IOException {
    List<Codec> codecs = new ArrayList<>();
    codecs.add(new SimpleTextCodec());
    codecs.add(postings(new BloomFilteringPostingsFormat(PostingsFormat.forName("Lucene104"))));
    for (String name : List.of("BlockTreeOrds", "FST50", "UniformSplit")) {
      codecs.add(postings(PostingsFormat.forName(name)));
    }
    for (Codec codec : codecs) {
      TracingDirectory directory = directory();
      try (IndexWriter writer =
          new IndexWriter(directory, config(codec).setUseCompoundFile(true))) {
        add(writer, 0, 12);
        writer.commit();
        add(writer, 12, 24);
        writer.deleteDocuments(new Term("id", "3"));
        writer.commit();
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          search(reader);
        }
        writer.forceMerge(1);
      }
      check(directory);
    }
  }

  private static Codec postings(PostingsFormat format) {
    return new Lucene104Codec() {
      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        return format;
      }
    };
  }

  /** An index of Lucene 9.12, searched, checked and merged into a new one. */
  private void oldIndex() throws IOException {
    TracingDirectory directory = directory();
    OldIndex.read().copyTo(directory);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      search(reader);
    }
    check(directory);
    try (IndexWriter writer = new IndexWriter(directory, config(new Lucene104Codec()))) {
      writer.forceMerge(1);
    }
  }

  private static List<CodecReader> leaves(DirectoryReader reader) {
    return reader.leaves().stream().map(leaf -> (CodecReader) leaf.reader()).toList();
  }

  /** Graphs also for few vectors. */
  private static Codec everyVectorFormat() {
    return new Lucene104Codec() {
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

  private static void check(TracingDirectory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setThreadCount(1);
      check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_INTEGRITY_CHECKS);
      assertTrue(check.checkIndex().clean);
    }
  }
}
