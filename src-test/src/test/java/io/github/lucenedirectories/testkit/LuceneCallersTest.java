// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.testkit.TracingDirectory.Input;
import io.github.lucenedirectories.testkit.index.RandomIndex;
import io.github.lucenedirectories.testkit.index.RandomQueries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.Version;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/**
 * The differences between context and use on which the directories rely ({@code
 * docs/lucene-callers.md}) are there: where Lucene changes one, a rule of a directory may go.
 */
public class LuceneCallersTest extends LibraryTestCase {

  private static final int DOCUMENTS = 70;

  /** Whether hints stay on a merge's context, and a shared input keeps its own. */
  private static final boolean HINTS_STAY = Version.LATEST.onOrAfter(Version.fromBits(10, 6, 0));

  private final TracingDirectory directory = new TracingDirectory(new ByteBuffersDirectory());

  /** What searches read while a merge had its segments open. */
  private final List<Input> searchedInMerge = new ArrayList<>();

  /** The inputs that the merge opened or read, in {@link #merge}. */
  private List<Input> merged = List.of();

  /** Graphs for few vectors too. */
  private static final class Vectors extends Lucene104Codec {
    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
      return switch (field) {
        case "products", "floats" ->
            new Lucene104HnswScalarQuantizedVectorsFormat(
                field.equals("floats")
                    ? ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE
                    : ScalarEncoding.UNSIGNED_BYTE,
                16,
                100,
                1,
                null,
                0);
        default -> new Lucene99HnswVectorsFormat(16, 100, 0);
      };
    }
  }

  /** Merges run in the thread that asks for them. */
  private static IndexWriterConfig config(boolean compound) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(compound ? 1 : 0);
    return new IndexWriterConfig()
        .setCodec(new Vectors())
        .setUseCompoundFile(compound)
        .setMergePolicy(policy)
        .setMergeScheduler(new SerialMergeScheduler());
  }

  private static void add(IndexWriter writer) throws IOException {
    for (int i = 0; i < DOCUMENTS; i++) {
      writer.addDocument(RandomIndex.document(Integer.toString(i), i));
    }
    writer.commit();
  }

  /** Makes two segments and searches them if {@code searched}, then merges and searches again. */
  private void merge(boolean compound, boolean searched) throws IOException {
    IndexWriterConfig config = config(compound);
    List<IndexWriter> warming = new ArrayList<>();
    config.setMergedSegmentWarmer(
        _ -> {
          int before = directory.inputs.size();
          try (DirectoryReader reader = DirectoryReader.open(warming.removeFirst())) {
            search(reader);
          }
          searchedInMerge.addAll(directory.inputs.subList(before, directory.inputs.size()));
        });
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      add(writer);
      add(writer);
      if (searched) {
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          search(reader);
          merged = merging(writer, warming);
          search(reader);
        }
      } else {
        merged = merging(writer, warming);
      }
    }
  }

  private List<Input> merging(IndexWriter writer, List<IndexWriter> warming) throws IOException {
    int before = directory.inputs.size();
    warming.add(writer);
    writer.forceMerge(1);
    List<Input> made = directory.inputs.subList(before, directory.inputs.size());
    return made.stream().filter(input -> !searchedInMerge.contains(input)).toList();
  }

  private static void search(DirectoryReader reader) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    Random random = new Random(4);
    List<Query> queries = new ArrayList<>(RandomQueries.exact(random));
    queries.addAll(RandomQueries.nearest(random));
    for (Query query : queries) {
      for (ScoreDoc hit : searcher.search(query, 20).scoreDocs) {
        searcher.storedFields().document(hit.doc);
      }
    }
  }

  private static void require(String what, List<Input> among, Predicate<Input> condition) {
    assertTrue("never happened: " + what, among.stream().anyMatch(condition));
  }

  public void testMergesReadVectorsAtRandom() throws IOException {
    merge(false, false);
    for (String end : List.of(".vec", ".veq", ".tmp")) {
      require(
          "a " + end + " file with a merge's context is read at random",
          merged,
          in -> in.isOfMerge() && in.name.endsWith(end) && in.isRandom());
      require(
          HINTS_STAY ? "its context has the hint RANDOM" : "its context has lost its hints",
          merged,
          in ->
              in.isOfMerge()
                  && in.name.endsWith(end)
                  && (HINTS_STAY
                      ? in.context.hints().contains(DataAccessHint.RANDOM)
                      : in.context.hints().isEmpty()));
    }
  }

  public void testSearchesReadWhatAMergeOpened() throws IOException {
    merge(false, false);
    require("by the pool", searchedInMerge, in -> in.isOfMerge() && in.parent != null);
  }

  public void testMergesReadWhatASearchOpened() throws IOException {
    merge(false, true);
    require(
        "stored fields in order, under the hint RANDOM",
        merged,
        in ->
            in.name.endsWith(".fdt")
                && in.parent != null
                && !in.isOfMerge()
                && in.context.hints().contains(DataAccessHint.RANDOM)
                && in.isSequential());
  }

  public void testSequentialStaysOnAnInputThatSearchesShare() throws IOException {
    merge(false, true);
    List<Input> updated =
        directory.inputs.stream().filter(input -> !input.updates.isEmpty()).toList();
    if (HINTS_STAY) {
      assertEquals("Lucene asks isEfficientFor instead", List.of(), updated);
      return;
    }
    require(
        "SEQUENTIAL for vectors that a search opened",
        updated,
        in ->
            in.parent == null
                && in.name.endsWith(".vec")
                && !in.isOfMerge()
                && in.updates.getLast().hints().contains(DataAccessHint.SEQUENTIAL));
    for (Input input : updated) {
      assertEquals("nothing takes it back: " + input.name, 1, new HashSet<>(input.updates).size());
    }
  }

  public void testMergesOpenDocValuesAndCompoundFilesAsSearchesDo() throws IOException {
    merge(true, false);
    require(
        "a slice of a compound file has a merge's context, the file has not",
        merged,
        in -> in.isOfMerge() && in.name.endsWith(".cfs"));
    merge(false, false);
    for (Input input : directory.inputs) {
      if (input.parent == null && input.isOfMerge()) {
        assertFalse(input.name, input.name.matches(".*\\.(dvd|dvs|dvp|cfs)"));
      }
    }
  }

  public void testFlushesOfUnknownSize() throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config(false))) {
      add(writer);
    }
    for (String end : List.of(".fdt", ".vec", ".fnm")) {
      assertTrue(
          end,
          directory.created.stream()
              .anyMatch(
                  file ->
                      file.name().endsWith(end)
                          && file.context().context() == IOContext.Context.DEFAULT));
    }
  }

  public void testPrefetchesOfOneByte() throws IOException {
    merge(false, true);
    require("a prefetch of one byte", directory.inputs, in -> in.prefetches.contains(1L));
  }
}
