// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.Results;
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
import org.apache.lucene.index.IndexWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it, forks included, and what it refuses. */
class AdviseWorkloadTest {
  private static final int DOCUMENTS = 400;

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
    run(empty.toString(), "--heap", "512k").assertRefused("--heap must be at least 1m: 512k");
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
  void anIndexLargerThanTheLimitIsForAnotherCommand() throws IOException {
    Path index = index();
    EndedCommand ended = run(index.toString(), "--limit", "640m");
    assertEquals(2, ended.status());
    String command = "measure with a limit, ./run memory-limit --index " + index + " --field body";
    assertTrue(ended.err().contains(command), ended.err());
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
      ended =
          run(
              index.toString(),
              "--heap",
              "128m",
              "--forks",
              "2",
              "--warmup",
              "1",
              "--seconds",
              "0.2");
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
        List.of(
            "MMapDirectory",
            "MMapDirectory (again)",
            "HybridDirectory",
            "MappedDirectory",
            "NioDirectory",
            "RamDirectory"),
        results.directories());
    for (String directory : results.directories()) {
      assertTrue(results.result(directory, "Phrase").orElseThrow().median() > 0);
    }
    assertNotNull(results.environment().get("inspection"));
    List<List<String>> facts = results.tables().getFirst().rows();
    assertEquals("recommended", facts.getFirst().getFirst());
    assertTrue(facts.contains(List.of("documents", "400 (0 deleted)")), facts.toString());
    assertTrue(facts.contains(List.of("searched field", "body")), facts.toString());
  }
}
