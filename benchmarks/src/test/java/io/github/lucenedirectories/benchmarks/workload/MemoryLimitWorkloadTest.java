// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as a user types it, forks and control groups included. */
class MemoryLimitWorkloadTest {
  private static final int DOCUMENTS = 3_500;
  private static final int NOISE_BYTES = 24_000;
  private static final String LIMIT = "184m";
  private static final double LIMIT_MEBIBYTES = 184;

  /* Less than any JVM takes that runs Lucene: an empty group has had nothing. */
  private static final double LEAST_MEBIBYTES = 30;

  private static final List<String> COLUMNS =
      List.of(
          "MMapDirectory",
          "MMapDirectory (again)",
          "MMapDirectory-advised",
          "NIOFSDirectory",
          "NioDirectory");

  @TempDir private Path folder;

  private EndedCommand run(String arguments) {
    return EndedCommand.run("memory-limit", folder.resolve("out"), arguments.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--limit much | --limit must be like 700m, 1g, or 50% of the index: 'much'",
        "--heap -1m | --heap must be like 700m, 1g, or 50% of the index: '-1m'",
        "--merge --cold | --merge and --cold exclude each other",
        "--page-cache much | --page-cache must be like 700m, 1g, or 50% of the index: 'much'",
        "--page-cache 17% --limit 1g | --page-cache and --limit exclude each other",
        "--steady -1 | --steady must not be negative: -1.0",
        "--steady 1 --cold | --steady excludes --merge and --cold",
        "--steady 1 --merge | --steady excludes --merge and --cold",
        "--draw zipf --cold | --draw excludes --merge and --cold",
        "--draw repeat --merge | --draw excludes --merge and --cold",
        "--read-ahead -1 | --read-ahead must be a number of KiB such as 128, or keep: '-1'",
        "--threads 0 | --threads must be more than 0: 0"
      })
  void inputIsRefusedAtOnce(String arguments, String message) {
    run(arguments).assertRefused(message);
  }

  @Test
  void moreIndexThanMemory() throws IOException {
    Path parent = parentOfGroups();
    Path index = index();
    Set<String> groups = groups(parent);
    String common =
        "--quick --forks 1 --heap 48m --kinds MedTerm,Stored --directories NioDirectory,RamDirectory"
            + " --warmup 0.2 --read-ahead keep --limit "
            + LIMIT
            + " --index "
            + index;

    EndedCommand cold = run(common + " --cold --queries 20");
    cold.assertDone();
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    String skipped = results.skipped().toString();
    assertTrue(skipped.contains("what it keeps in memory does not fit"), skipped);
    assertEquals(COLUMNS, results.directories());
    for (String column : COLUMNS) {
      assertTrue(value(results, column, "Stored p99") >= value(results, column, "Stored p50"));
      double peak = value(results, column, "peak memory");
      assertTrue(peak > LEAST_MEBIBYTES && peak <= LIMIT_MEBIBYTES, column + " peak " + peak);
      assertTrue(value(results, column, "open, read") > 0, column + " opened from the device");
      assertTrue(value(results, column, "Stored read") > 4, column + " read from the device");
    }
    assertTrue(value(results, "MMapDirectory", "Stored faults") > 0, "mapped pages fault");
    assertTrue(value(results, "MMapDirectory", "Stored minor faults") > 0, "in memory too");
    assertTrue(value(results, "MMapDirectory", "resident memory") > 50, "MiB, with the heap");
    assertTrue(value(results, "MMapDirectory", "Stored pauses, all") >= 0, "told");

    assertTrue(results.ratio("NioDirectory", "NIOFSDirectory", "Stored").isPresent());

    EndedCommand drawn = run(common + " --seconds 0.1 --draw zipf --kinds MedTerm");
    drawn.assertDone();
    Results zipf = Results.read(folder.resolve("out").resolve("results.json"));
    assertTrue(zipf.page().notes().toString().contains("--draw ZIPF"));
    assertTrue(String.valueOf(zipf.environment().get("plan")).contains("draw=ZIPF"));

    Set<String> files = SampleText.state(index).keySet();
    Set<String> neighbours = SampleText.state(folder).keySet();
    EndedCommand merging = run(common + " --seconds 0.4 --merge");
    merging.assertDone();
    Results merged = Results.read(folder.resolve("out").resolve("results.json"));
    for (String column : COLUMNS) {
      assertTrue(value(merged, column, "merge") > 0, column + " merged");
      assertTrue(value(merged, column, "Quiet p99") > 0);
      assertTrue(value(merged, column, "Merging p99") > 0);
    }
    assertEquals(files, SampleText.state(index).keySet(), "the index is as it was");
    assertEquals(neighbours, SampleText.state(folder).keySet(), "nothing is left next to it");
    assertEquals(groups, groups(parent), "no group is left");
  }

  @Test
  void steadyWithRoomInThePageCache() throws IOException {
    parentOfGroups();
    EndedCommand steady =
        run(
            "--quick --forks 1 --heap 48m --kinds StoredTen --directories NioDirectory --prefetch"
                + " --warmup 0.2 --seconds 0.2 --steady 0.6 --read-ahead keep --page-cache 30%"
                + " --queries 20 --index "
                + index());
    steady.assertDone();
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    List<String> announced =
        Stream.of("MMapDirectory", "MMapDirectory-advised", "NIOFSDirectory")
            .map(name -> name + " + StoredFields.prefetch")
            .toList();
    List<String> columns = new ArrayList<>(COLUMNS);
    columns.addAll(announced);
    columns.add("NioDirectory + prefetch");
    assertEquals(columns, results.directories());
    for (String column : columns) {
      assertTrue(value(results, column, "StoredTen read") > 4, column + " read from the device");
      assertTrue(value(results, column, "StoredTen until steady") > 0.1, column);
      double cache = value(results, column, "page cache");
      assertTrue(cache > 1 && cache <= value(results, column, "peak memory"), column + " " + cache);
    }
    assertTrue(results.ratio("NioDirectory + prefetch", "NioDirectory", "StoredTen").isPresent());
    assertTrue(results.ratio("NioDirectory", Results.bestOf(announced), "StoredTen").isPresent());
    String hints = results.hints().toString();
    assertTrue(hints.contains("threads; after the run "), hints);
  }

  private static double value(Results results, String column, String task) {
    return results.result(column, task).orElseThrow().median();
  }

  /** Skips the test where it cannot run, saying why. */
  private Path parentOfGroups() throws IOException {
    if (Files.getFileStore(folder).type().equals("tmpfs")) {
      abort("SKIPPED: " + folder + " is on tmpfs, whose files are never out of memory");
    }
    try (Cgroups.Group group = Cgroups.find().make(1L << 26)) {
      return Path.of(group.launcher().getLast()).resolveSibling("");
    } catch (UsageException e) {
      return abort("SKIPPED: " + e.getMessage());
    }
  }

  private static Set<String> groups(Path parent) throws IOException {
    String own = "lucene-directories-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> groups = Files.list(parent)) {
      return groups
          .map(group -> group.getFileName().toString())
          .filter(name -> name.startsWith(own))
          .collect(Collectors.toSet());
    }
  }

  /** Few words and much stored noise: more than the limit, and quickly written. */
  private Path index() throws IOException {
    Path index = folder.resolve("index");
    Random random = new Random(7);
    byte[] noise = new byte[NOISE_BYTES];
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        random.nextBytes(noise);
        Document document = new Document();
        document.add(new TextField("body", words(random), Field.Store.NO));
        document.add(new StoredField("noise", Base64.getEncoder().encodeToString(noise)));
        writer.addDocument(document);
        if (i == DOCUMENTS / 2) {
          // Two segments, so that there is something to merge.
          writer.commit();
        }
      }
      writer.commit();
    }
    return index;
  }

  private static String words(Random random) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      int word = random.nextInt(400);
      words.append("wo").append((char) ('a' + word % 20)).append((char) ('a' + word / 20));
      words.append(' ');
    }
    return words.toString();
  }
}
