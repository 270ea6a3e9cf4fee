// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.corpus.ClusteredVectors;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.workload.VectorIndex.Questions;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.VectorUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command as a user types it, and what it prepares. */
class VectorsWorkloadTest {
  private static final int ROWS = 700;
  private static final int DIMS = 9;
  private static final int HITS = 7;

  @TempDir private Path folder;

  private EndedCommand run(String arguments) {
    return EndedCommand.run("vectors", folder.resolve("out"), arguments.split(" ", -1));
  }

  /** What a fork prepares, in this JVM. */
  private Prepared prepare(String arguments) throws IOException {
    VectorIndex index = new VectorIndex();
    new CommandLine(index).parseArgs(arguments.split(" ", -1));
    index.check();
    Path out = Files.createDirectories(folder.resolve("out"));
    new ObjectMapper()
        .readerForUpdating(index)
        .readValue(
            new ObjectMapper().writeValueAsString(Map.of("partial", out + "/.new", "seed", 42)));
    try {
      return index.prepared();
    } finally {
      assertTrue(Files.notExists(out.resolve(".new")), "no part of an index");
    }
  }

  private static List<float[]> random(int count, long seed) {
    Random random = new Random(seed);
    return Stream.generate(
            () -> {
              float[] vector = new float[DIMS];
              for (int i = 0; i < DIMS; i++) {
                vector[i] = random.nextFloat() * 20 - 5;
              }
              return vector;
            })
        .limit(count)
        .toList();
  }

  /** The numbers of the nearest vectors, of those that count. */
  private static int[] nearest(List<float[]> vectors, float[] query, IntPredicate counts) {
    return IntStream.range(0, vectors.size())
        .filter(counts)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> VectorUtil.squareDistance(vectors.get(i), query)))
        .limit(HITS)
        .mapToInt(i -> i)
        .toArray();
  }

  private static void assertTruth(
      Prepared prepared, List<float[]> vectors, List<float[]> queries, IntPredicate counts)
      throws IOException {
    List<int[]> truth = Questions.read(prepared).nearest();
    assertEquals(Math.min(50, queries.size()), truth.size());
    for (int i = 0; i < truth.size(); i++) {
      assertArrayEquals(nearest(vectors, queries.get(i), counts), truth.get(i), "query " + i);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--generate 10 --index x | --index and --generate exclude each other",
        "--segments 0 | --segments must be more than 0: 0",
        "--segments 2 --index x | --segments is of an index that is built, not of --index",
        "--index none | no such folder: none",
        "--dims 1025 | --dims must be 1 to 1024: 1025",
        "--generate -1 | --generate must be more than 0: -1",
        "--format sq3 | --format must be float or sq8 to sq1: sq3",
        "--k 0 | --k must be more than 0: 0",
        "--threads 0 | --threads must be more than 0: 0",
        "--rescore 50 | --rescore must be at least --k 100: 50",
        "--limit 50%,much | --limit must be like 700m, 1g, or 50% of the index: 'much'",
        "--read-ahead much | --read-ahead must be a number of KiB such as 128, or keep: 'much'"
      })
  void inputIsRefusedAtOnce(String arguments, String message) {
    run(arguments).assertRefused(message);
  }

  private void assertRefused(String arguments, String message) {
    assertEquals(
        message, assertThrows(UsageException.class, () -> prepare(arguments)).getMessage());
  }

  /** Segments without vectors, deleted documents, and fields to choose from. */
  @Test
  void anIndexOfTheUser() throws IOException {
    List<float[]> vectors = random(ROWS, 1);
    Path index = folder.resolve("index");
    IndexWriterConfig config =
        new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE).setMaxBufferedDocs(150);
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < ROWS; i++) {
        Document document = new Document();
        document.add(new StringField("even", i % 2 == 0 ? "yes" : "no", Field.Store.NO));
        document.add(
            new KnnFloatVectorField("v", vectors.get(i), VectorSimilarityFunction.EUCLIDEAN));
        document.add(new KnnByteVectorField("bytes", new byte[] {1, 2}));
        writer.addDocument(document);
      }
      writer.addDocument(new Document());
      writer.commit();
      writer.deleteDocuments(new Term("even", "yes"));
    }
    String common = "--index " + index + " --field v --queries 30 --k " + HITS;
    Map<String, String> before = SampleText.state(index);
    Prepared other = prepare(common);
    assertEquals("v", other.field());
    assertRefused(common.replace("--k " + HITS, "--k 702"), "--k is more than the 351 documents");
    assertEquals(30, other.queries());
    List<float[]> near = Questions.read(other).vectors();
    for (float[] query : near) {
      double length = Math.sqrt(VectorUtil.dotProduct(query, query));
      int[] found = nearest(vectors, query, i -> true);
      double distance = Math.sqrt(VectorUtil.squareDistance(vectors.get(found[0]), query));
      assertTrue(distance > 0 && distance < length, distance + " of " + length);
    }
    assertTruth(other, vectors, near, i -> i % 2 == 1);
    assertRefused(
        common.replace("--field v", "--field bytes"),
        "--field must name a field with float vectors, not bytes");
    assertEquals(before, SampleText.state(index));
  }

  @Test
  void segmentsOfEqualSize() throws IOException {
    Prepared prepared = prepare("--generate 103 --dims 3 --k 3 --queries 5 --segments 10");
    assertEquals(10, prepared.segments());
    try (Directory directory = FSDirectory.open(Path.of(prepared.index()));
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(103, reader.numDocs());
      assertEquals(11, reader.leaves().getFirst().reader().maxDoc());
    }
  }

  /** More than one flush makes a segment, of its own rows alone. */
  @Test
  void generatedVectorsInLargeSegments() throws IOException {
    Prepared prepared = prepare("--generate 10300 --dims 3 --k 3 --queries 5");
    ClusteredVectors vectors = new ClusteredVectors(3, 42);
    assertEquals(1, prepared.segments());
    try (Directory directory = FSDirectory.open(Path.of(prepared.index()));
        DirectoryReader reader = DirectoryReader.open(directory)) {
      LeafReaderContext leaf = reader.leaves().getFirst();
      FloatVectorValues values = leaf.reader().getFloatVectorValues(prepared.field());
      for (int i = 0; i < 10_300; i++) {
        assertArrayEquals(vectors.next(), values.vectorValue(i));
      }
    }
    assertTrue(prepared.summary().contains("10300 x 3, seed 42"), prepared.summary());
  }

  private static double value(Results results, String column, String task) {
    return results.result(column, task).orElseThrow().median();
  }

  @Test
  void smallRunWithAndWithoutPrefetching() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    String limit = limit();
    run("--generate 6000 --dims 40 --format sq1 --k 10 --rescore 100"
            + " --queries 40 --threads 2 --cold --forks 1 --warmup 0 --seconds 0.1"
            + " --directories MMapDirectory --read-ahead keep --limit none,"
            + limit)
        .assertDone();
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    String prefetch = "MMapDirectory + prefetch";
    assertEquals(
        List.of("MMapDirectory", "MMapDirectory (again)", prefetch), results.directories());
    double recall = value(results, "MMapDirectory", "recall");
    // Without rescoring it is about a half.
    assertTrue(recall > 0.75 && recall <= 1, "recall " + recall);
    for (String column : results.directories()) {
      for (String kind : List.of("limit none", "limit " + limit)) {
        assertTrue(value(results, column, kind) > 0, "queries a second");
        assertTrue(value(results, column, kind + " p99") >= value(results, column, kind + " p50"));
      }
      assertEquals(recall, value(results, column, "recall"));
      assertTrue(limit.equals("none") || value(results, column, "open, read") > 0);
    }
    assertTrue(results.ratio(prefetch, "MMapDirectory", "limit " + limit).isPresent());
    String notes = results.page().notes().toString();
    assertTrue(notes.contains("Hits identical on every directory for the first 50"), notes);
    assertEquals(before, EndedCommand.temporaryFiles());
  }

  /** One that has room for the heap, where groups can be made and files leave the memory. */
  private String limit() throws IOException {
    try {
      Cgroups.find();
      return Files.getFileStore(folder).type().equals("tmpfs") ? "none" : "400m";
    } catch (UsageException e) {
      return "none";
    }
  }
}
