package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.ClusteredVectors;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.VectorFile;
import io.github.lucenedirectories.benchmarks.harness.BlockDevice;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Plan.Pair;
import io.github.lucenedirectories.benchmarks.harness.ReadAhead;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.FullPrecisionFloatVectorSimilarityValuesSource;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RescoreTopNQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.Version;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code vectors}: searches vectors under memory limits. A fork has one limit and measures each
 * number of threads; in its turn each column has one fork of every limit. As the job of a fork it
 * finds or builds the index, chooses queries and finds their exact answers.
 */
@Command(
    name = "vectors",
    description =
        "Search vectors with less memory than their index needs, and compare the directories, with"
            + " and without the reader that prefetches.",
    footer = {
      "",
      "By default each directory gets 4 forks of each limit, each with 8 s of warm-up and 16 s"
          + " measured, shared by the numbers of threads; with --quick 2 forks, 0.8 s and 1.6 s."
          + " Indexes, and the exact answers to the first 50 queries, are kept in --out.",
      "",
      "All are compared with MMapDirectory and its plain reader. MMapDirectory-directVectors reads"
          + " raw vectors past the page cache, by Lucene's DirectIODirectory.",
      "",
      "What the figures mean: " + LimitedWorkload.KIND_MEANING,
      "",
      "Recall: the share of the exact answers that are found. Those of a fork, with several limits"
          + " of the last: "
          + LimitedWorkload.FORK_MEANING
    })
public final class VectorsWorkload extends LimitedWorkload implements Fork.Job<Prepared> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(4, 8, 16);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 0.8, 1.6);
  private static final List<String> DIRECTORIES =
      List.of(
          Variants.BASELINE,
          "MMapDirectory-advised",
          "MMapDirectory-directVectors",
          "HybridDirectory");
  private static final String UNLIMITED = "none";
  private static final String HALF = "half";
  private static final int VECTORS = 300_000;
  private static final int QUICK_VECTORS = 60_000;
  private static final int MOST_DIMENSIONS = 1024;
  private static final int CHECKED = 50;
  private static final int HEAP_MEGABYTES = 512;
  private static final String TRUTH = "truth.ivecs";
  private static final double QUERY_DISTANCE = 0.3;

  /* Of a flush: few enough for a small heap. */
  private static final int FLUSHED = 5_000;
  private static final int BLOCK = 4096;
  private static final double NANOS = 1e9;

  @Option(names = "--index", paramLabel = "PATH", description = "an index; it is only read")
  private @Nullable String index;

  @Option(names = "--field", paramLabel = "NAME", description = "its field (default: the only one)")
  private @Nullable String field;

  @Option(
      names = "--generate",
      paramLabel = "N",
      description = "index N generated unit vectors (default: 300000, with --quick 60000)")
  private @Nullable Integer generate;

  @Option(names = "--dims", paramLabel = "D", description = "their dimensions (default: 768)")
  private int dims = 768;

  @Option(names = "--clusters", paramLabel = "C", description = "their clusters (default: 1000)")
  private int clusters = 1000;

  @Option(
      names = "--fvecs",
      paramLabel = "FILE",
      description = "index a file, by Euclidean distance")
  private @Nullable String fvecs;

  @Option(
      names = "--query-fvecs",
      paramLabel = "FILE",
      description = "queries (default: at random)")
  private @Nullable String queryFvecs;

  @Option(names = "--truth-ivecs", paramLabel = "FILE", description = "their exact answers")
  private @Nullable String truthIvecs;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "float, or quantized to 8, 7, 4, 2 or 1 bits: sq8, sq7, sq4, sq2, sq1")
  private Format format = Format.FLOAT;

  @Option(names = "--segments", paramLabel = "N", description = "of a new index (default: 1)")
  private int segments = 1;

  @Option(names = "--m", paramLabel = "N", description = "neighbours in its graph (default: 16)")
  private int neighbours = Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN;

  @Option(names = "--k", paramLabel = "N", description = "hits of a query (default: 100)")
  private int hits = 100;

  @Option(
      names = "--rescore",
      paramLabel = "N",
      description = "search N and keep the best by full precision (default: no rescoring)")
  private int rescore;

  @Option(names = "--queries", paramLabel = "N", description = "different ones (default: 1000)")
  private int queries = 1000;

  @Option(names = "--threads", split = ",", description = "that search, a list (default: 1)")
  private List<Integer> counts = List.of(1);

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      split = ",",
      description =
          "memory of each JVM, a list: 700m, 0.44 of the index, none (default: half of the index, at"
              + " least 160m)")
  private List<String> limits = List.of(HALF);

  @Option(names = "--reader", description = "plain, prefetch, or both (default: both)")
  private Reader reader = Reader.BOTH;

  @Option(names = "--cold", description = "begin each measurement with an empty page cache")
  private transient boolean cold;

  @Mixin private transient DirectoryOptions directories = new DirectoryOptions();

  @Mixin private transient ReadAhead readAhead = new ReadAhead();

  /* Of the fork that runs. */
  private String limit = "";
  private String partial = "";
  private long seed;

  private enum Reader {
    PLAIN,
    PREFETCH,
    BOTH
  }

  private enum Format {
    FLOAT(0),
    SQ8(8),
    SQ7(7),
    SQ4(4),
    SQ2(2),
    SQ1(1);

    private final int bits;

    Format(int bits) {
      this.bits = bits;
    }

    KnnVectorsFormat graph(int m, boolean merged, int workers, @Nullable ExecutorService pool) {
      int beam = Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH;
      // A graph of a flush would be built for nothing.
      int least = merged ? FLUSHED / 8 : Lucene99HnswVectorsFormat.HNSW_GRAPH_THRESHOLD;
      return bits == 0
          ? new Lucene99HnswVectorsFormat(m, beam, workers, pool, least)
          : new Lucene104HnswScalarQuantizedVectorsFormat(
              ScalarEncoding.fromNumBits(bits), m, beam, workers, pool, least);
    }
  }

  @Override
  public void check() throws IOException {
    RunOptions.refuse(
        Stream.of(index != null, fvecs != null, generate != null).filter(given -> given).count()
            > 1,
        "--index, --generate and --fvecs exclude each other");
    RunOptions.refuse(
        truthIvecs != null && queryFvecs == null, "--truth-ivecs needs --query-fvecs");
    RunOptions.positive("--generate", generate == null ? 1 : generate);
    RunOptions.positive("--clusters", clusters);
    RunOptions.positive("--segments", segments);
    RunOptions.positive("--k", hits);
    RunOptions.positive("--queries", queries);
    counts.forEach(count -> RunOptions.positive("--threads", count));
    RunOptions.refuse(neighbours < 2 || neighbours > 512, "--m must be 2 to 512: " + neighbours);
    RunOptions.refuse(
        rescore != 0 && rescore < hits, "--rescore must be at least --k " + hits + ": " + rescore);
    checkDimensions("--dims", dims);
    for (String file : Stream.of(fvecs, queryFvecs).filter(Objects::nonNull).toList()) {
      checkDimensions(file, VectorFile.open(Path.of(file)).values());
    }
    if (index != null) {
      ExistingIndex.checkFolder(Path.of(index));
    }
    readAhead.check();
    run.values(FULL, QUICK);
    limits.forEach(text -> memory(text, 0));
    columns();
  }

  private static void checkDimensions(String what, int found) {
    RunOptions.refuse(
        found < 1 || found > MOST_DIMENSIONS,
        what + ": vectors have 1 to " + MOST_DIMENSIONS + " dimensions, not " + found);
  }

  private List<Column> columns() {
    Column baseline = Column.of(Variants.BASELINE, Use.SEARCH);
    List<Column> all = new ArrayList<>(List.of(baseline, baseline.again()));
    for (String name : directories.names(DIRECTORIES, Use.SEARCH)) {
      Column plain = Column.of(name, Use.SEARCH);
      if (reader != Reader.PREFETCH) {
        all.add(plain);
      }
      if (reader != Reader.PLAIN) {
        all.add(plain.with(plain.label() + " + prefetch", LimitedSearch.PREFETCH, "yes"));
      }
    }
    return all.stream().distinct().toList();
  }

  /** The heap is that of the smallest limit, so that limits differ in their page cache alone. */
  private Memory memory(String text, long indexBytes) {
    long least =
        limits.stream().mapToLong(other -> limitBytes(other, indexBytes)).min().orElseThrow();
    long heap = least == Long.MAX_VALUE ? HEAP_MEGABYTES : Memory.usualHeapMegabytes(least);
    return new Memory(limitBytes(text, indexBytes), heap, indexBytes);
  }

  private static long limitBytes(String text, long indexBytes) {
    return switch (text) {
      case UNLIMITED -> Long.MAX_VALUE;
      case HALF -> Memory.usualLimitBytes(indexBytes);
      default -> Memory.bytes("--limit", text, indexBytes, 0);
    };
  }

  private static String kind(String text, int count) {
    return "limit " + text + ", threads " + count;
  }

  @Override
  int threads(String kind) {
    return counts.stream()
        .filter(count -> kind(limit, count).equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @Override
  List<String> sampled() {
    return limits.stream()
        .flatMap(text -> counts.stream().map(count -> kind(text, count)))
        .toList();
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    isCold = cold;
    threads = Collections.max(counts);
    answers = CHECKED;
    seed = run.seed();
    Path building = host.out().toAbsolutePath().resolve(".index-" + ProcessHandle.current().pid());
    partial = building.toString();
    host.workspace().alsoRemove(building);
    if (index == null && fvecs == null && generate == null) {
      generate = run.isQuick() ? QUICK_VECTORS : VECTORS;
    }
    JvmFlags flags =
        JvmFlags.forWriting(rows() * (neighbours * 16L + 200), JvmFlags.Collector.PARALLEL);
    try (ChildJvm fork = ChildJvm.start(host.workspace(), flags, "the index", this, List.of())) {
      prepared = fork.result(Prepared.class);
    }
    List<Column> columns = columns();
    groups = limits.stream().allMatch(UNLIMITED::equals) ? null : Cgroups.find();
    for (String text : limits) {
      memory = memory(text, prepared.bytes());
      memory.checkHeap("a larger --limit, or a larger index");
      if (groups != null && !memory.isUnlimited()) {
        memory.checkLimit(groups.leastLimitAbove());
      }
    }
    Path path = Path.of(prepared.index()).toRealPath();
    readAhead.set(host.workspace(), BlockDevice.of(path), run.notes());
    Map<String, Object> facts = new LinkedHashMap<>();
    readAhead.kibibytes().ifPresent(kibibytes -> facts.put("readAheadKiB", kibibytes));
    String rates = "";
    for (int depth : new int[] {1, 32}) {
      Double rate = randomReads(largest(path), depth, Math.min(2, values.seconds() / 4));
      facts.put("randomReadsDepth" + depth, rate == null ? "unknown" : rate);
      rates +=
          Numbers.text(
              "; %d at a time: %s/s", depth, rate == null ? "unknown" : Numbers.rate(rate));
    }
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        columns.stream()
            .filter(column -> column.settings().containsKey(LimitedSearch.PREFETCH))
            .filter(column -> columns.stream().anyMatch(c -> c.label().equals(column.variant())))
            .map(column -> Pair.of(column.label(), column.variant()))
            .toList(),
        values.forks(),
        memory.flags(),
        "Vector searches under a memory limit" + readAhead.warning(),
        List.of(
            prepared.summary() + ".",
            Numbers.text(
                "Each JVM has a heap of %d MiB and, but for the limit none, a control group. Before"
                    + " each the index was taken out of the page cache%s. The device reads ahead %s."
                    + " Random reads of 4 KiB past the page cache%s.",
                memory.heapMegabytes(),
                cold ? ", and again before each measurement, with queries that had not run" : "",
                readAhead.text(),
                rates),
            note(
                sampled(),
                Numbers.text(
                    "%d queries, k %d, %s",
                    prepared.queries(),
                    hits,
                    rescore == 0 ? "not rescored" : "the best of " + rescore + " rescored"),
                columns.size(),
                pace(),
                threads,
                " for the first " + CHECKED + " queries")),
        facts,
        List.of());
  }

  /** How many reads past the page cache a second, so many at a time; null if there can be none. */
  private @Nullable Double randomReads(Path file, int depth, double seconds) {
    try (ExecutorService pool = Executors.newFixedThreadPool(depth);
        Directory files = Variants.direct(file.resolveSibling(""), BLOCK, _ -> true);
        IndexInput in = files.openInput(file.getFileName().toString(), IOContext.DEFAULT)) {
      long blocks = in.length() / BLOCK;
      long start = System.nanoTime();
      List<Callable<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < depth; i++) {
        IndexInput own = in.clone();
        Random random = new Random(seed + i);
        readers.add(
            () -> {
              int count = 0;
              for (; System.nanoTime() - start < seconds * NANOS; count++) {
                own.seek(random.nextLong(blocks) * BLOCK);
                own.readByte();
              }
              return count;
            });
      }
      int count = Workers.invokeAll(pool, readers).stream().mapToInt(n -> n).sum();
      return count * NANOS / (System.nanoTime() - start);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static Path largest(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.max(Comparator.comparingLong(file -> file.toFile().length())).orElseThrow();
    }
  }

  @Override
  public Samples measure(Host host, Plan plan, Column column, long forkSeed) throws IOException {
    Samples all = null;
    for (String text : limits) {
      limit = text;
      memory = memory(text, prepared.bytes());
      Samples one = super.measure(host, plan, column, forkSeed);
      all = all == null ? one : all.and(one);
    }
    return Objects.requireNonNull(all);
  }

  @Override
  Map<String, List<Task>> tasks() throws IOException {
    List<Task> all = new ArrayList<>();
    VectorFile.open(Path.of(prepared.tasks()))
        .read(
            queries,
            row -> {
              float[] vector = floats(row);
              int found = rescore == 0 ? hits : rescore;
              Query query = new KnnFloatVectorQuery(prepared.field(), vector, found);
              if (rescore != 0) {
                query =
                    RescoreTopNQuery.createFullPrecisionRescorerQuery(
                        query, vector, prepared.field(), hits);
              }
              all.add(Task.nearest(all.size(), query, hits));
            });
    Map<String, List<Task>> kinds = new LinkedHashMap<>();
    counts.forEach(count -> kinds.put(kind(limit, count), all));
    return kinds;
  }

  private static int[] bits(float[] vector) {
    return IntStream.range(0, vector.length).map(i -> Float.floatToRawIntBits(vector[i])).toArray();
  }

  private static float[] floats(ByteBuffer row) {
    float[] vector = new float[row.remaining() / Float.BYTES];
    row.asFloatBuffer().get(vector);
    return VectorUtil.checkFinite(vector);
  }

  @Override
  Double recall(List<Answer> found) throws IOException {
    int[] count = new int[2];
    VectorFile.open(Path.of(prepared.tasks()).resolveSibling(TRUTH))
        .read(
            found.size(),
            row -> {
              Set<Integer> exact = new HashSet<>();
              for (int i = 0; i < hits; i++) {
                exact.add(row.getInt());
              }
              for (Answer.Hit hit : found.get(count[0]++).hits()) {
                count[1] += exact.contains(hit.doc()) ? 1 : 0;
              }
            });
    return (double) count[1] / count[0] / hits;
  }

  private int count() {
    return generate == null ? 0 : generate;
  }

  /** The vectors of a new index; 0 if there is none to be made. */
  private long rows() throws IOException {
    return fvecs == null ? count() : VectorFile.open(Path.of(fvecs)).rows();
  }

  @Override
  public Prepared run(Fork fork) throws IOException {
    return prepared();
  }

  Prepared prepared() throws IOException {
    Path folder = Path.of(partial).resolveSibling("");
    String source =
        fvecs == null
            ? Numbers.text("%d x %d generated, %d clusters, seed %d", count(), dims, clusters, seed)
            : fvecs + " of " + Files.getLastModifiedTime(Path.of(fvecs));
    String made = Numbers.text("%s, %s, %d segments, m %d", source, format, segments, neighbours);
    Path found =
        index == null
            ? Preparation.built(
                folder, "vectors 1 " + Version.LATEST + made, Path.of(partial), this::build)
            : Path.of(index);
    ExistingIndex.check(found);
    try (Directory directory = new MMapDirectory(found);
        DirectoryReader opened = DirectoryReader.open(directory)) {
      FieldInfo info = field(opened);
      RunOptions.refuse(
          hits > opened.numDocs(), "--k is more than the " + opened.numDocs() + " documents");
      List<float[]> wanted = queries(opened, info);
      Path file = folder.resolve("queries.fvecs");
      VectorFile.write(file, wanted.stream().map(VectorsWorkload::bits).toList());
      // The id is that of the commit.
      String asked =
          info.name
              + hits
              + Arrays.toString(SegmentInfos.readLatestCommit(directory).getId())
              + Arrays.hashCode(Files.readAllBytes(file));
      writeTruth(opened, info, wanted, folder, asked);
      return new Prepared(
          found.toString(),
          index == null ? made : found.toString(),
          info.name,
          file.toString(),
          opened.numDocs(),
          opened.leaves().size(),
          ExistingIndex.bytes(directory, List.of(directory.listAll())),
          counts.stream().map(count -> kind("", count)).toList(),
          wanted.size(),
          0,
          List.of());
    }
  }

  private void build(Directory directory) throws IOException {
    int workers = Runtime.getRuntime().availableProcessors();
    long most = (rows() + segments - 1) / segments;
    LogDocMergePolicy merges = new LogDocMergePolicy();
    merges.setMergeFactor(Integer.MAX_VALUE);
    merges.setNoCFSRatio(0);
    try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
      KnnVectorsFormat graph =
          format.graph(neighbours, most > 2 * FLUSHED, workers, workers == 1 ? null : pool);
      Codec codec =
          new Lucene104Codec() {
            @Override
            public KnnVectorsFormat getKnnVectorsFormatForField(String name) {
              return graph;
            }
          };
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setCodec(codec)
              .setMergePolicy(merges)
              .setUseCompoundFile(false)
              .setMaxBufferedDocs(FLUSHED)
              .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        int[] count = new int[1];
        forEachVector(
            vector -> {
              Document document = new Document();
              document.add(new KnnFloatVectorField(Fields.VECTOR, vector, similarity()));
              writer.addDocument(document);
              // The same numbers of documents as rows, so each segment is made of its own alone.
              if (++count[0] % most == 0) {
                writer.forceMerge((int) (count[0] / most));
              }
            });
        writer.forceMerge(segments);
      }
    }
  }

  private VectorSimilarityFunction similarity() {
    return fvecs == null
        ? VectorSimilarityFunction.DOT_PRODUCT
        : VectorSimilarityFunction.EUCLIDEAN;
  }

  private void forEachVector(IOConsumer<float[]> consumer) throws IOException {
    if (fvecs != null) {
      VectorFile.open(Path.of(fvecs)).read(Long.MAX_VALUE, row -> consumer.accept(floats(row)));
      return;
    }
    ClusteredVectors vectors = new ClusteredVectors(dims, clusters, seed);
    for (int i = 0; i < count(); i++) {
      consumer.accept(vectors.get(i));
    }
  }

  private FieldInfo field(IndexReader opened) {
    List<FieldInfo> all =
        StreamSupport.stream(FieldInfos.getMergedFieldInfos(opened).spliterator(), false)
            .filter(info -> info.getVectorDimension() > 0)
            .filter(info -> info.getVectorEncoding() == VectorEncoding.FLOAT32)
            .toList();
    return all.stream()
        .filter(info -> field == null ? all.size() == 1 : info.name.equals(field))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--field must name one of the fields with float vectors: "
                        + all.stream().map(info -> info.name).sorted().toList()));
  }

  private List<float[]> queries(IndexReader opened, FieldInfo info) throws IOException {
    List<float[]> all = new ArrayList<>();
    if (queryFvecs != null) {
      VectorFile file = VectorFile.open(Path.of(queryFvecs));
      RunOptions.refuse(
          file.values() != info.getVectorDimension(),
          Numbers.text(
              "%s: vectors of %d dimensions, and the index has %d",
              queryFvecs, file.values(), info.getVectorDimension()));
      file.read(queries, row -> all.add(floats(row)));
      return all;
    }
    Random random = new Random(seed);
    ClusteredVectors vectors = new ClusteredVectors(dims, clusters, seed);
    while (all.size() < queries) {
      if (generate != null) {
        all.add(vectors.get(-1 - all.size()));
        continue;
      }
      int leaf = ReaderUtil.subIndex(random.nextInt(opened.maxDoc()), opened.leaves());
      FloatVectorValues values = opened.leaves().get(leaf).reader().getFloatVectorValues(info.name);
      if (values != null && values.size() > 0) {
        float[] stored = values.vectorValue(random.nextInt(values.size()));
        float[] query = ClusteredVectors.near(stored, random, QUERY_DISTANCE);
        boolean unit = info.getVectorSimilarityFunction() == VectorSimilarityFunction.DOT_PRODUCT;
        all.add(unit ? VectorUtil.l2normalize(query) : query);
      }
    }
    return all;
  }

  /** Puts the answers beside the queries, from an earlier run if that had the same. */
  private void writeTruth(
      IndexReader opened, FieldInfo info, List<float[]> wanted, Path folder, String asked)
      throws IOException {
    List<float[]> checked = wanted.subList(0, Math.min(CHECKED, wanted.size()));
    Path truth =
        folder.resolve(
            "truth-" + UUID.nameUUIDFromBytes(asked.getBytes(StandardCharsets.UTF_8)) + ".ivecs");
    if (truthIvecs != null) {
      truth = Path.of(truthIvecs);
      VectorFile given = VectorFile.open(truth);
      RunOptions.refuse(
          given.values() < hits || given.rows() < checked.size(),
          Numbers.text(
              "%s: %d answers to %d queries, and --k %d of %d queries are needed",
              truth, given.values(), given.rows(), hits, checked.size()));
    } else if (!Files.exists(truth)) {
      VectorFile.write(truth, exact(opened, info, checked));
    }
    Files.copy(truth, folder.resolve(TRUTH), StandardCopyOption.REPLACE_EXISTING);
  }

  /** The documents nearest to each query, found by looking at all. */
  private List<int[]> exact(IndexReader opened, FieldInfo info, List<float[]> wanted)
      throws IOException {
    IndexSearcher searcher = new IndexSearcher(opened);
    Query all = new FieldExistsQuery(info.name);
    List<Callable<int[]>> work = new ArrayList<>();
    for (float[] query : wanted) {
      DoubleValuesSource scores =
          new FullPrecisionFloatVectorSimilarityValuesSource(query, info.name);
      work.add(
          () ->
              Arrays.stream(searcher.search(new FunctionScoreQuery(all, scores), hits).scoreDocs)
                  .mapToInt(hit -> hit.doc)
                  .toArray());
    }
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      return Workers.invokeAll(pool, work);
    }
  }
}
