// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.Results.Table;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of results: its version, and the files of the project. */
class ResultsTest {
  @TempDir private Path folder;

  /** The project's root: tests run in a folder below it. */
  private static Path root() {
    Path path = Path.of("").toAbsolutePath();
    while (!Files.exists(path.resolve("docs/benchmarks"))) {
      path = Objects.requireNonNull(path.getParent());
    }
    return path;
  }

  private static Results full() {
    return new MadeUp(4, 0.01)
        .control()
        .column("Ram", 1.2, 0.8)
        .results()
        .withTables(List.of(new Table("t", "n", List.of("a"), List.of(List.of("b")))));
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Results results = full();
    Path file = folder.resolve(Results.FILE);
    results.write(file);
    assertEquals(results, Results.read(file));
    assertEquals(Results.VERSION, results.version());
  }

  @Test
  void theResultsOfTheProjectsOwnRunsAreRead() throws IOException {
    try (Stream<Path> found = Files.walk(root().resolve("docs/benchmarks"))) {
      List<Path> files = found.filter(f -> f.endsWith("results.json.gz")).toList();
      assertFalse(files.isEmpty());
      for (Path file : files) {
        Results results = Results.read(Results.in(file.resolveSibling("")));
        assertFalse(Objects.requireNonNull(results.verdict()).text().isEmpty(), file.toString());
        assertFalse(results.page().title().isEmpty(), file.toString());
        assertTrue(results.page().groups().getFirst().onTerminal(), file.toString());
      }
    }
  }

  @Test
  void otherVersionsAreRefused() throws IOException {
    String older = full().json().replace("\"version\" : 2", "\"version\" : 1");
    Path file = Files.writeString(folder.resolve("older.json"), older);
    assertEquals(
        file + " has version 1 and not 2: run it again",
        assertThrows(UsageException.class, () -> Results.read(file)).getMessage());
  }
}
