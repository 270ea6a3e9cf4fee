// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.advise.Inspection.Machine;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.results.Advice;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.workload.Memory;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it, forks included, and which directories get which time. */
class AdviseWorkloadTest {
  private static final int DOCUMENTS = 400;
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;

  private EndedCommand run(String... arguments) {
    return EndedCommand.run("advise", folder.resolve("out"), arguments);
  }

  private Path index() throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    Path index = SampleText.index(lines, folder.resolve("index"));
    // A writer leaves it behind, and a lock that is taken of a file which is there goes unseen.
    Files.delete(index.resolve(IndexWriter.WRITE_LOCK_NAME));
    return index;
  }

  @Test
  void inputIsRefused() throws IOException {
    run().assertRefused("Missing required parameter: 'INDEX'; see ./run advise --help");
    run("none").assertRefused("no such folder: none");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Path file = Files.writeString(folder.resolve("file"), "");
    run(file.toString()).assertRefused("not a folder: " + file);
    run(empty.toString(), "--time", "soon")
        .assertRefused(
            "Invalid value for option '--time': not a time: 'soon' (write 100ms, 2s or 3m); see"
                + " ./run advise --help");
    run(empty.toString(), "--heap", "512k").assertRefused("--heap must be at least 1m: 512k");
    EndedCommand large = run(empty.toString(), "--heap", "900000g");
    assertTrue(
        large.err().startsWith("a heap of 921600000 MiB and the JVM need at least"), large.err());
    assertEquals(2, large.status());
    run(empty.toString(), "--limit", "much")
        .assertRefused("--limit must be like 700m, 1g, or 50% of the index: 'much'");
    run(empty.toString(), "--queries", "none.txt").assertRefused("no such file: none.txt");
    Path noQueries = Files.writeString(folder.resolve("queries"), "# none\n");
    run(empty.toString(), "--queries", noQueries.toString())
        .assertRefused("no queries in " + noQueries);
    EndedCommand inside = EndedCommand.run("advise", empty.resolve("x/y"), empty.toString());
    inside.assertRefused(
        "--out "
            + empty.resolve("x/y")
            + " is in the index, where nothing is ever written: name another folder");
    assertEquals(Map.of(), SampleText.state(empty));
  }

  @Test
  void recommendsAndNeverWritesToTheIndex() throws Exception {
    Path index = index();
    Map<String, String> before = SampleText.state(index);
    List<String> touched = new ArrayList<>();
    EndedCommand ended;
    try (WatchService watch = index.getFileSystem().newWatchService()) {
      WatchKey changes =
          index.register(
              watch,
              StandardWatchEventKinds.ENTRY_CREATE,
              StandardWatchEventKinds.ENTRY_DELETE,
              StandardWatchEventKinds.ENTRY_MODIFY);
      for (String name : Rules.SIMPLEST_FIRST) {
        Variant measured = Variants.named(name, Use.SEARCH);
        try (Directory directory = measured.read(index, folder);
            IndexReader reader = DirectoryReader.open(directory)) {
          assertEquals(DOCUMENTS, reader.numDocs(), name);
        }
      }
      ended = run(index.toString(), "--time", "1s", "--heap", "64m");
      for (WatchEvent<?> event : changes.pollEvents()) {
        touched.add(event.kind() + " " + event.context());
      }
    }
    ended.assertDone();
    assertEquals(List.of(), touched, "nothing came, went or changed, not even a lock for a moment");
    assertEquals(before, SampleText.state(index));
    check(Results.read(folder.resolve("out").resolve("results.json")));
    assertTrue(Files.exists(folder.resolve("out").resolve("queries.tasks")));
  }

  private static void check(Results results) {
    assertEquals("advise", results.workload());
    assertEquals(
        List.of("MMapDirectory", "MMapDirectory (again)", "HybridDirectory"),
        results.directories());
    for (String directory : results.directories()) {
      assertTrue(results.result(directory, "Phrase").orElseThrow().median() > 0);
      assertTrue(results.result(directory, "Stored p99").orElseThrow().median() > 0);
      assertTrue(results.result(directory, "open").orElseThrow().median() > 0);
    }
    assertTrue(results.ratio("HybridDirectory", "MMapDirectory", "Phrase").isPresent());
    Advice advice = Objects.requireNonNull(results.advice());
    assertTrue(results.directories().contains(advice.directory()));
    assertFalse(advice.why().isEmpty());
    assertEquals("-Xmx64m", advice.jvmFlags().getLast());
    assertTrue(advice.cautions().get(0).startsWith("The time was enough for 2 JVMs"));
    assertNotNull(results.environment().get("contents"));
    assertTrue(
        results.skipped().stream()
            .anyMatch(s -> s.task().equals("RamDirectory") && s.reason().startsWith("--time")));
    List<String> notes = Objects.requireNonNull(results.page()).notes();
    assertTrue(notes.get(0).contains("400 documents (0 deleted)"), notes.get(0));
  }

  private final List<Skipped> skipped = new ArrayList<>();

  private List<String> columns(long limitBytes, long indexBytes, double seconds, int most) {
    skipped.clear();
    Inspection found =
        new Inspection(
            new Contents(1, 0, 1, "", Map.of("terms", indexBytes), 0, 0, List.of()),
            new Machine(2, 0, 0, limitBytes - (GIB >> 1), 0, null));
    Memory memory = new Memory(limitBytes, 512, indexBytes);
    return AdviseWorkload.columns(found, memory, seconds, most, skipped).stream()
        .map(Column::label)
        .toList();
  }

  @Test
  void directoriesForTheSituation() {
    List<String> always =
        List.of(
            "MMapDirectory",
            "MMapDirectory (again)",
            "HybridDirectory",
            "MappedDirectory",
            "NioDirectory");
    List<String> fits = columns(8 * GIB, GIB, 180, 100);
    assertEquals(always, fits.subList(0, 5));
    assertEquals(List.of("RamDirectory"), fits.subList(5, fits.size()));
    List<String> tooLarge = columns(8 * GIB, 8 * GIB, 180, 100);
    assertEquals(always, tooLarge.subList(0, 5));
    assertEquals(List.of("MMapDirectory-advised", "BlockCacheDirectory"), tooLarge.subList(5, 7));
  }

  @Test
  void ramDirectoryNeedsMemoryAndTime() {
    columns(8 * GIB, 13 * GIB / 2, 3600, 100);
    assertEquals(
        List.of(
            new Skipped("BlockCacheDirectory", 0, "the page cache holds the whole index"),
            new Skipped("RamDirectory", 0, "it holds the index in memory and that does not fit")),
        skipped);
    columns(64 * GIB, 10 * GIB, 180, 100);
    assertEquals("to load the index so often takes too much of --time", skipped.get(1).reason());
    assertTrue(columns(64 * GIB, 10 * GIB, 3600, 100).contains("RamDirectory"));
  }

  @Test
  void shortTimeHasFewerDirectories() {
    List<String> least = List.of("MMapDirectory", "MMapDirectory (again)", "HybridDirectory");
    assertEquals(least, columns(8 * GIB, GIB, 180, -1));
    assertEquals(least, columns(8 * GIB, GIB, 180, 3));
    assertEquals("MappedDirectory", columns(8 * GIB, GIB, 180, 4).getLast());
    assertEquals(
        List.of("RamDirectory", "NioDirectory"),
        skipped.stream()
            .filter(left -> left.reason().equals("--time is too short for it"))
            .map(Skipped::task)
            .toList());
  }

  private static List<Column> six(String last) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String variant = i == 5 ? last : "MMapDirectory";
      columns.add(Column.of(variant, Use.SEARCH));
    }
    return columns;
  }

  private static double spent(Defaults budget, double overhead, double load) {
    return budget.forks() * (6 * (overhead + budget.warmupSeconds() + budget.seconds()) + load);
  }

  @Test
  void timeIsSharedOut() {
    Defaults usual = AdviseWorkload.budget(170, six("NioDirectory"), 1.5, GIB);
    assertEquals(6, usual.forks());
    assertEquals(170, spent(usual, 1.5, 0), 1e-6);
    assertTrue(usual.warmupSeconds() > usual.seconds());
    Defaults loading = AdviseWorkload.budget(170, six("RamDirectory"), 1.5, 1_200_000_000);
    assertEquals(170, spent(loading, 1.5, 4), 1e-6);
    Defaults slow = AdviseWorkload.budget(170, six("NioDirectory"), 6, GIB);
    assertEquals(4, slow.forks());
    assertEquals(170, spent(slow, 6, 0), 1e-6);
    assertEquals(2, AdviseWorkload.budget(1, six("NioDirectory"), 6, GIB).forks());
    assertTrue(AdviseWorkload.budget(-1, six("NioDirectory"), 6, GIB).seconds() > 0);
  }
}
