// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.github.lucenedirectories.benchmarks.corpus.ClusteredVectors;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RescoreTopNQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The index of vectors that is searched, and the queries: options of a command, and the job of the
 * fork that finds or builds the index, chooses queries, and computes exact answers.
 */
@JsonAutoDetect(
    fieldVisibility = Visibility.ANY,
    getterVisibility = Visibility.NONE,
    isGetterVisibility = Visibility.NONE)
final class VectorIndex implements Fork.Job<Prepared> {
  /** Of so many queries the exact answers are known. */
  static final int CHECKED = 50;

  /* Of a flush: few enough for a small heap. */
  private static final int FLUSHED = 5_000;

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

  @Option(
      names = "--format",
      description = "float, or quantized to 8, 7, 4, 2 or 1 bits: sq8, sq7, sq4, sq2, sq1")
  private String format = "float";

  @Option(names = "--k", paramLabel = "N", description = "hits of a query (default: 100)")
  private int hits = 100;

  @Option(names = "--queries", paramLabel = "N", description = "different ones (default: 1000)")
  private int queries = 1000;

  private String partial = "";
  private long seed;

  /** Queries, and the exact answers to the first of them. */
  record Questions(List<float[]> vectors, List<int[]> nearest) {
    static Questions read(Prepared prepared) throws IOException {
      return Fork.MAPPER.readValue(Path.of(prepared.tasks()).toFile(), Questions.class);
    }
  }

  /** Refuses at once what needs no index to be refused. */
  void check() {
    RunOptions.refuse(index != null && generate != 0, "--index and --generate exclude each other");
    RunOptions.refuse(
        segments != 1 && index != null, "--segments is of an index that is built, not of --index");
    RunOptions.refuse(
        !format.matches("float|sq[87421]"), "--format must be float or sq8 to sq1: " + format);
    RunOptions.refuse(generate < 0, "--generate must be more than 0: " + generate);
    RunOptions.refuse(dims < 1 || dims > 1024, "--dims must be 1 to 1024: " + dims);
    Map.of("--k", hits, "--queries", queries, "--segments", segments).forEach(RunOptions::positive);
  }

  int hits() {
    return hits;
  }

  /** Finds or builds the index in a fork. */
  Prepared prepare(Host host, RunOptions run) throws IOException {
    seed = run.seed();
    Path building = host.out().toAbsolutePath().resolve(".index-" + ProcessHandle.current().pid());
    partial = building.toString();
    host.workspace().alsoRemove(building);
    if (index == null && generate == 0) {
      generate = run.isQuick() ? 60_000 : 300_000;
    }
    // While the graph is merged, for each vector its neighbours; and twice the vectors of a flush.
    long bytes = generate * 456L + (long) flushed() * dims * Float.BYTES * 2;
    JvmFlags flags = JvmFlags.forWriting(bytes, JvmFlags.Collector.PARALLEL);
    try (ChildJvm fork = ChildJvm.start(host.workspace(), flags, "the index", this, List.of())) {
      return fork.result(Prepared.class);
    }
  }

  private int flushed() {
    return segments == 1 ? FLUSHED : Math.max(2, Math.ceilDiv(generate, segments));
  }

  /** The best of a query's hits by full precision. */
  static Query precise(Query query, float[] vector, String name, int count) {
    return RescoreTopNQuery.createFullPrecisionRescorerQuery(query, vector, name, count);
  }

  @Override
  public Prepared run(Fork fork) throws IOException {
    return prepared();
  }

  Prepared prepared() throws IOException {
    Path building = Path.of(partial);
    Path folder = building.resolveSibling("");
    String made =
        Numbers.text(
            "vectors %d x %d, seed %d, %s, Lucene %s%s",
            generate,
            dims,
            seed,
            format,
            Version.LATEST,
            segments == 1 ? "" : ", " + segments + " segments");
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
      String key = field + hits + "," + queries + "," + seed;
      byte[] bytes = (key + commit).getBytes(StandardCharsets.UTF_8);
      Path asked = folder.resolve("queries-" + UUID.nameUUIDFromBytes(bytes) + ".json");
      if (!Files.exists(asked)) {
        List<float[]> vectors = near(opened);
        List<float[]> checked = vectors.subList(0, Math.min(CHECKED, vectors.size()));
        Fork.MAPPER.writeValue(building.toFile(), new Questions(vectors, exact(opened, checked)));
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
          List.of(),
          Fork.MAPPER.readValue(asked.toFile(), Questions.class).vectors().size(),
          0,
          List.of());
    }
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
        writer.forceMerge(1);
      }
    }
  }

  private static void add(IndexWriter writer, float[] vector) throws IOException {
    writer.addDocument(List.of(new KnnFloatVectorField(Fields.VECTOR, vector)));
  }

  /** Vectors near those of the index, from each segment in turn. */
  private List<float[]> near(IndexReader opened) throws IOException {
    List<float[]> all = new ArrayList<>();
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
    return all;
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
