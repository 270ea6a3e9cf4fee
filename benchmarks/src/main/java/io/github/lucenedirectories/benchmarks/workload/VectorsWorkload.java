// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.ClusteredVectors;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.VectorFile;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RescoreTopNQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.Version;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code vectors}: searches vectors under memory limits, in one fork of each. As the job of a fork
 * it finds or builds the index and chooses queries.
 */
@Command(
    name = "vectors",
    description =
        "Search vectors with less memory than their index needs, and compare the directories, with"
            + " and without the reader that prefetches.",
    footer = {
      "",
      "By default each directory gets 4 forks of each limit, each with 8 s of warm-up and 16 s"
          + " measured; with --quick 2 forks, 0.8 s and 1.6 s. Indexes, queries, and the exact"
          + " answers to the first 50, are kept in --out. MMapDirectory-directVectors reads raw"
          + " vectors past the page cache, by Lucene's DirectIODirectory.",
      "",
      "What the figures mean: " + LimitedWorkload.KIND_MEANING,
      "",
      "Recall: the share of the exact answers that are found, with the last limit. "
          + LimitedWorkload.FORK_MEANING
    })
public final class VectorsWorkload extends LimitedWorkload implements Fork.Job<Prepared> {
  private static final List<String> DIRECTORIES =
      List.of(
          Variants.BASELINE,
          "MMapDirectory-advised",
          "MMapDirectory-directVectors",
          "HybridDirectory");
  private static final int CHECKED = 50;

  /* Of a flush: few enough for a small heap. */
  private static final int FLUSHED = 5_000;
  private static final int BLOCK = 4096;

  @Option(names = "--index", paramLabel = "PATH", description = "an index; it is only read")
  private @Nullable String index;

  @Option(names = "--field", paramLabel = "NAME", description = "its field (default: vector)")
  private String field = Fields.VECTOR;

  @Option(
      names = "--generate",
      paramLabel = "N",
      description = "index N generated unit vectors (default: 300000, with --quick 60000)")
  private int generate;

  @Option(names = "--dims", paramLabel = "D", description = "their dimensions (default: 768)")
  private int dims = 768;

  @Option(
      names = "--segments",
      paramLabel = "N",
      description = "segments of equal size that it is built with (default: 1)")
  private int segments = 1;

  @Option(names = "--fvecs", description = "index this file, by Euclidean distance")
  private @Nullable String fvecs;

  @Option(names = "--query-fvecs", description = "queries (default: near vectors of the index)")
  private @Nullable String queryFvecs;

  @Option(names = "--truth-ivecs", description = "their exact answers")
  private @Nullable String truthIvecs;

  @Option(
      names = "--format",
      description = "float, or quantized to 8, 7, 4, 2 or 1 bits: sq8, sq7, sq4, sq2, sq1")
  private String format = "float";

  @Option(names = "--k", paramLabel = "N", description = "hits of a query (default: 100)")
  private int hits = 100;

  @Option(
      names = "--rescore",
      paramLabel = "N",
      description = "search N and keep the best by full precision (default: no rescoring)")
  private int rescore;

  @Option(names = "--queries", paramLabel = "N", description = "different ones (default: 1000)")
  private int queries = 1000;

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      split = ",",
      description =
          "memory of each JVM, a list: 700m, 44%% of the index, none (default: half of the index,"
              + " at least 224m)")
  private List<String> limits = List.of(HALF);

  @Option(names = "--cold", description = "begin each measurement with an empty page cache")
  void setCold(boolean isWanted) {
    isCold = isWanted;
  }

  @Mixin private transient DirectoryOptions directories = new DirectoryOptions();

  @Mixin private transient ReadAhead readAhead = new ReadAhead();

  private transient @Nullable Cgroups limiting;
  private String kind = "";
  private String partial = "";
  private long seed;

  record Questions(List<float[]> vectors, List<int[]> nearest) {
    static Questions read(Prepared prepared) throws IOException {
      return Fork.MAPPER.readValue(Path.of(prepared.tasks()).toFile(), Questions.class);
    }
  }

  @Override
  public void check() throws IOException {
    RunOptions.refuse(
        Stream.of(index != null, fvecs != null, generate != 0).filter(given -> given).count() > 1,
        "--index, --generate and --fvecs exclude each other");
    RunOptions.refuse(
        truthIvecs != null && queryFvecs == null, "--truth-ivecs needs --query-fvecs");
    RunOptions.refuse(
        segments != 1 && index != null, "--segments is of an index that is built, not of --index");
    RunOptions.refuse(
        !format.matches("float|sq[87421]"), "--format must be float or sq8 to sq1: " + format);
    RunOptions.refuse(generate < 0, "--generate must be more than 0: " + generate);
    RunOptions.refuse(dims < 1 || dims > 1024, "--dims must be 1 to 1024: " + dims);
    RunOptions.refuse(
        rescore != 0 && rescore < hits, "--rescore must be at least --k " + hits + ": " + rescore);
    Map.of("--k", hits, "--queries", queries, "--threads", threads, "--segments", segments)
        .forEach(RunOptions::positive);
    readAhead.check();
    run.values(FULL, QUICK);
    limits.forEach(this::limitBytes);
    columns();
  }

  private List<Column> columns() {
    List<Column> all =
        new ArrayList<>(directories.columns(Variants.BASELINE, DIRECTORIES, Use.SEARCH));
    for (String name : directories.names(DIRECTORIES, Use.SEARCH)) {
      Column plain = Column.of(name, Use.SEARCH);
      all.add(plain.with(plain.label() + " + prefetch", LimitedSearch.PREFETCH, "yes"));
    }
    return all.stream().distinct().toList();
  }

  private void limit(String limit) throws IOException {
    limit(limit, limits, limiting);
    kind = "limit " + limit;
  }

  @Override
  List<String> sampled() {
    return limits.stream().map(limit -> "limit " + limit).toList();
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    answers = CHECKED;
    seed = run.seed();
    Path building = host.out().toAbsolutePath().resolve(".index-" + ProcessHandle.current().pid());
    partial = building.toString();
    host.workspace().alsoRemove(building);
    if (index == null && fvecs == null && generate == 0) {
      generate = run.isQuick() ? 60_000 : 300_000;
    }
    // While the graph is merged, for each vector its neighbours; and twice the vectors of a flush.
    long bytes = rows() * 456 + (long) flushed() * dims * Float.BYTES * 2;
    JvmFlags flags = JvmFlags.forWriting(bytes, JvmFlags.Collector.PARALLEL);
    try (ChildJvm fork = ChildJvm.start(host.workspace(), flags, "the index", this, List.of())) {
      prepared = fork.result(Prepared.class);
    }
    limiting = limits.stream().allMatch(UNLIMITED::equals) ? null : Cgroups.find();
    for (String text : limits) {
      limit(text);
    }
    Path path = Path.of(prepared.index()).toRealPath();
    readAhead.set(host.workspace(), path, run);
    String rates = randomReads(path, 1) + "; " + randomReads(path, 32);
    List<Column> columns = columns();
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        columns.stream()
            .filter(column -> column.settings().containsKey(LimitedSearch.PREFETCH))
            .map(column -> Pair.of(column.label(), column.variant()))
            .toList(),
        values.forks(),
        memory.flags(),
        "Vector searches under a memory limit" + readAhead.warning(),
        List.of(
            prepared.summary() + ".",
            Numbers.text(
                "Each JVM has a heap of %d MiB and, but for the limit none, a control group. Before"
                    + " each%s the index was taken out of the page cache. The device reads ahead"
                    + " %s. Random reads of 4 KiB past the page cache: %s.",
                memory.heapMegabytes(),
                isCold ? ", and again before queries that had not run," : "",
                readAhead.inForce(),
                rates),
            note(
                sampled(),
                prepared.queries() + " queries, k " + hits + ", rescored " + rescore,
                columns.size(),
                pace(),
                threads,
                " for the first " + CHECKED + " queries")),
        Map.of(),
        List.of());
  }

  private long rows() throws IOException {
    return fvecs == null ? generate : VectorFile.open(Path.of(fvecs)).rows();
  }

  private int flushed() throws IOException {
    return segments == 1 ? FLUSHED : (int) Math.max(2, Math.ceilDiv(rows(), segments));
  }

  /** Reads of blocks of the largest file, past the page cache, in a second. */
  private static String randomReads(Path folder, int depth) {
    String rate = "unknown";
    try (Stream<Path> files = Files.list(folder);
        Directory direct = Variants.direct(folder, BLOCK, _ -> true);
        ExecutorService pool = Executors.newFixedThreadPool(depth)) {
      Path largest = files.max(Comparator.comparingLong(f -> f.toFile().length())).orElseThrow();
      String name = String.valueOf(largest.getFileName());
      long end = System.nanoTime() + 1_000_000_000;
      Callable<Integer> reader =
          () -> {
            int count = 0;
            try (IndexInput in = direct.openInput(name, IOContext.DEFAULT)) {
              for (; System.nanoTime() < end; count++) {
                in.seek(ThreadLocalRandom.current().nextLong(in.length() / BLOCK) * BLOCK);
                in.readByte();
              }
            }
            return count;
          };
      List<Integer> counts = Workers.invokeAll(pool, Collections.nCopies(depth, reader));
      rate = Numbers.rate(counts.stream().mapToInt(n -> n).sum()) + "/s";
    } catch (IOException | RuntimeException e) {
      // Not every file system can.
    }
    return depth + " at a time: " + rate;
  }

  @Override
  public Samples measure(Host host, Plan plan, Column column, long forkSeed) throws IOException {
    Map<String, KindSamples> kinds = new LinkedHashMap<>();
    Samples last = null;
    for (String text : limits) {
      limit(text);
      last = super.measure(host, plan, column, forkSeed);
      kinds.putAll(last.kinds());
    }
    return Objects.requireNonNull(last).with(kinds);
  }

  @Override
  List<Task> tasks() throws IOException {
    List<Task> all = new ArrayList<>();
    for (float[] vector : Questions.read(prepared).vectors()) {
      Query query = new KnnFloatVectorQuery(prepared.field(), vector, Math.max(hits, rescore));
      Query asked = rescore == 0 ? query : precise(query, vector, prepared.field(), hits);
      all.add(Task.nearest(kind, all.size(), asked, hits));
    }
    return all;
  }

  private static Query precise(Query query, float[] vector, String name, int count) {
    return RescoreTopNQuery.createFullPrecisionRescorerQuery(query, vector, name, count);
  }

  @Override
  Double recall(List<Answer> found) throws IOException {
    List<int[]> nearest = Questions.read(prepared).nearest();
    double count = 0;
    for (int i = 0; i < found.size(); i++) {
      Set<Integer> exact =
          Arrays.stream(nearest.get(i)).limit(hits).boxed().collect(Collectors.toSet());
      count += found.get(i).hits().stream().filter(hit -> exact.contains(hit.doc())).count();
    }
    return count / found.size() / hits;
  }

  @Override
  public Prepared run(Fork fork) throws IOException {
    return prepared();
  }

  Prepared prepared() throws IOException {
    Path building = Path.of(partial);
    Path folder = building.resolveSibling("");
    String source = fvecs == null ? generate + " x " + dims + ", seed " + seed : dated(fvecs);
    String made = "vectors " + source + ", " + format + ", Lucene " + Version.LATEST;
    made += segments == 1 ? "" : ", " + segments + " segments";
    Path found =
        index == null ? Preparation.built(folder, made, building, this::build) : Path.of(index);
    ExistingIndex.check(found);
    try (Directory directory = new MMapDirectory(found);
        DirectoryReader opened = DirectoryReader.open(directory)) {
      FieldInfo info = FieldInfos.getMergedFieldInfos(opened).fieldInfo(field);
      if (info == null
          || info.getVectorDimension() == 0
          || info.getVectorEncoding() != VectorEncoding.FLOAT32) {
        throw new UsageException("--field must name a field with float vectors, not " + field);
      }
      RunOptions.refuse(
          hits > opened.numDocs(), "--k is more than the " + opened.numDocs() + " documents");
      String commit = StringHelper.idToString(SegmentInfos.readLatestCommit(directory).getId());
      String key =
          field + hits + "," + queries + "," + seed + dated(queryFvecs) + dated(truthIvecs);
      byte[] bytes = (key + commit).getBytes(StandardCharsets.UTF_8);
      Path asked = folder.resolve("queries-" + UUID.nameUUIDFromBytes(bytes) + ".json");
      if (!Files.exists(asked)) {
        Fork.MAPPER.writeValue(building.toFile(), questions(opened, info));
        Files.move(building, asked);
      }
      return new Prepared(
          found.toString(),
          index == null ? made : found.toString(),
          field,
          asked.toString(),
          opened.numDocs(),
          opened.leaves().size(),
          ExistingIndex.bytes(directory, List.of(directory.listAll())),
          List.of(kind),
          Fork.MAPPER.readValue(asked.toFile(), Questions.class).vectors().size(),
          0,
          List.of());
    }
  }

  private static String dated(@Nullable String file) throws IOException {
    Path path = file == null ? null : VectorFile.open(Path.of(file)).path();
    return path == null ? "" : path + " of " + Files.getLastModifiedTime(path);
  }

  private void build(Directory directory) throws IOException {
    int workers = Math.max(2, Runtime.getRuntime().availableProcessors());
    LogDocMergePolicy merges = new LogDocMergePolicy();
    merges.setMergeFactor(Integer.MAX_VALUE);
    merges.setNoCFSRatio(0);
    try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
      // A graph of a flush would be built for nothing.
      int least = FLUSHED / 8;
      KnnVectorsFormat graph =
          format.equals("float")
              ? new Lucene99HnswVectorsFormat(16, 100, workers, pool, least)
              : new Lucene104HnswScalarQuantizedVectorsFormat(
                  ScalarEncoding.fromNumBits(format.charAt(2) - '0'),
                  16,
                  100,
                  workers,
                  pool,
                  least);
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
              .setMergePolicy(segments == 1 ? merges : NoMergePolicy.INSTANCE)
              .setUseCompoundFile(false)
              .setMaxBufferedDocs(flushed())
              .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        ClusteredVectors vectors = new ClusteredVectors(dims, seed);
        for (int i = 0; i < generate; i++) {
          add(writer, vectors.next());
        }
        if (fvecs != null) {
          VectorFile.open(Path.of(fvecs)).read(Long.MAX_VALUE, row -> add(writer, floats(row)));
        }
        writer.forceMerge(1);
      }
    }
  }

  private static void add(IndexWriter writer, float[] vector) throws IOException {
    writer.addDocument(List.of(new KnnFloatVectorField(Fields.VECTOR, vector)));
  }

  private static float[] floats(ByteBuffer row) {
    float[] vector = new float[row.remaining() / Float.BYTES];
    row.asFloatBuffer().get(vector);
    return VectorUtil.checkFinite(vector);
  }

  private Questions questions(IndexReader opened, FieldInfo info) throws IOException {
    List<float[]> wanted = new ArrayList<>();
    if (queryFvecs == null) {
      addNear(opened, wanted);
    } else {
      VectorFile.open(Path.of(queryFvecs)).read(queries, row -> wanted.add(floats(row)));
    }
    int dimensions = wanted.getFirst().length;
    RunOptions.refuse(
        dimensions != info.getVectorDimension(),
        "queries of " + dimensions + " dimensions, and the index has " + info.getVectorDimension());
    List<float[]> checked = wanted.subList(0, Math.min(CHECKED, wanted.size()));
    if (truthIvecs == null) {
      return new Questions(wanted, exact(opened, checked));
    }
    VectorFile given = VectorFile.open(Path.of(truthIvecs));
    RunOptions.refuse(
        given.values() < hits || given.rows() < checked.size(),
        truthIvecs + ": too few answers for --k " + hits + " and " + checked.size() + " queries");
    List<int[]> nearest = new ArrayList<>();
    given.read(
        checked.size(), row -> nearest.add(IntStream.generate(row::getInt).limit(hits).toArray()));
    return new Questions(wanted, nearest);
  }

  /** Adds vectors near those of the index, from each segment in turn. */
  private void addNear(IndexReader opened, List<float[]> all) throws IOException {
    List<FloatVectorValues> segments = new ArrayList<>();
    for (LeafReaderContext leaf : opened.leaves()) {
      FloatVectorValues values = leaf.reader().getFloatVectorValues(field);
      if (values != null && values.size() > 0) {
        segments.add(values);
      }
    }
    RunOptions.refuse(segments.isEmpty(), "no vectors in the field " + field);
    Random random = new Random(seed);
    while (all.size() < queries) {
      FloatVectorValues values = segments.get(all.size() % segments.size());
      float[] stored = values.vectorValue(random.nextInt(values.size()));
      all.add(ClusteredVectors.near(stored, random, 0.3));
    }
  }

  private List<int[]> exact(IndexReader opened, List<float[]> wanted) throws IOException {
    IndexSearcher searcher = new IndexSearcher(opened);
    List<Callable<int[]>> work = new ArrayList<>();
    for (float[] query : wanted) {
      // It counts deleted documents in.
      int count = hits + opened.numDeletedDocs();
      Query all = precise(new FieldExistsQuery(field), query, field, count);
      work.add(
          () ->
              Arrays.stream(searcher.search(all, hits).scoreDocs)
                  .mapToInt(hit -> hit.doc)
                  .toArray());
    }
    int processors = Runtime.getRuntime().availableProcessors();
    try (ExecutorService pool = Executors.newFixedThreadPool(processors)) {
      return Workers.invokeAll(pool, work);
    }
  }
}
