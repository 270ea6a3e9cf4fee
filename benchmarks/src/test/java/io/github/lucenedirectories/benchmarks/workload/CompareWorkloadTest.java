// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as a user types it, forks included. */
class CompareWorkloadTest {
  private static final int DOCUMENTS = 3000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  private EndedCommand run(String arguments) {
    return EndedCommand.run("compare", folder.resolve("out"), arguments.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--docs none.tsv | no such file: none.tsv",
        "--tasks none.tasks | no such file: none.tasks",
        "--seconds 0 | --seconds must be more than 0: 0",
        "--index x --copies 2 | --index names an index that exists: leave out --docs and --copies",
        "--index none | no such folder: none"
      })
  void inputIsRefusedInOneLine(String arguments, String message) {
    run(arguments).assertRefused(message);
  }

  @Test
  void inputThatAForkRefuses() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    run("--index " + folder).assertRefused("not an index: " + folder + " has no segments file");
    Path lines = Files.writeString(folder.resolve("bad.tsv"), "a line without tabs\n");
    run("--docs " + lines)
        .assertRefused(lines + ":1: a line without tabs, expected title TAB date TAB body");
    Path index = SampleText.index(SampleText.lineFile(lines, 50), folder.resolve("index"));
    run("--index " + index + " --field nosuch --quick")
        .assertRefused("no field 'nosuch' with terms in the index: choose from body, id");
    assertEquals(before, EndedCommand.temporaryFiles());
    try (Stream<Path> out = Files.list(folder.resolve("out"))) {
      assertEquals(List.of(), out.toList(), "no part of an index");
    }
  }

  @Test
  void lockedIndexIsRefusedAndLeftAlone() throws IOException {
    Path index =
        SampleText.index(SampleText.lineFile(folder.resolve("a.tsv"), 50), folder.resolve("index"));
    Set<String> before = SampleText.state(index).keySet();
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      run("--index " + index)
          .assertRefused("locked index: a writer has " + index + " open; close it first");
      writer.rollback();
    }
    assertEquals(before, SampleText.state(index).keySet());
  }

  @Test
  void smallRunFromTextToReport() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    EndedCommand ended =
        run(
            "--directories NIOFSDirectory --kinds AndHighHigh,VectorSearch,Stored"
                + " --queries 3 --forks 2 --warmup 0.2 --seconds 0.1 --docs "
                + lines);
    ended.assertDone();
    assertFalse(ended.out().contains("\u001b"), "no terminal codes");
    Path out = folder.resolve("out");
    checkJson(MAPPER.readTree(out.resolve("results.json").toFile()));
    String html = Files.readString(out.resolve("report.html"));
    EndedCommand.run("report", folder.resolve("again"), out.toString()).assertDone();
    assertEquals(html, Files.readString(folder.resolve("again").resolve("report.html")));

    Path index = onlyIndex(out);
    Set<String> files = SampleText.state(index).keySet();
    EndedCommand again =
        run(
            "--directories MMapDirectory-pmem,PmemDirectory --forks 1 --warmup 0.2 --seconds 0.05"
                + " --threads 2"
                + " --index "
                + index
                + " --tasks "
                + out.resolve("queries.tasks"));
    again.assertDone();
    assertEquals(files, SampleText.state(index).keySet());
    assertTrue(again.out().contains("No persistent memory was measured"), again.out());
    if (Files.isDirectory(Path.of("/dev/shm"))) {
      assertTrue(again.out().contains("memory (tmpfs): MMapDirectory-pmem."), again.out());
    }
    assertEquals(before, EndedCommand.temporaryFiles(), "nothing is left in the temporary folder");
  }

  private static Path onlyIndex(Path out) throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      List<Path> indexes =
          files.filter(f -> f.getFileName().toString().startsWith("index-")).toList();
      assertEquals(1, indexes.size());
      return indexes.get(0);
    }
  }

  private static void checkJson(JsonNode json) {
    JsonNode environment = json.get("environment");
    for (String fact :
        List.of("cpu", "kernel", "fileSystem", "jdk", "jvmFlags", "seed", "command")) {
      assertTrue(environment.hasNonNull(fact), fact);
    }
    List<JsonNode> rates = new ArrayList<>();
    for (JsonNode result : json.get("results")) {
      if (result.get("unit").asText().equals("queries/s")) {
        rates.add(result);
      }
    }
    String notes = json.get("page").get("notes").toString();
    assertTrue(notes.contains("Hits identical on every directory"), notes);
    assertEquals(3 * 3, rates.size(), "three directories, three kinds");
    JsonNode first = json.get("results").get(0);
    assertEquals("compare", first.get("workload").asText());
    assertEquals("MMapDirectory", first.get("directory").asText());
    assertEquals("AndHighHigh", first.get("task").asText());
    assertTrue(first.get("median").asDouble() > 0);
    assertEquals(2, first.get("samples").size(), "one a fork");
    assertEquals(2 * 3, json.get("ratios").size(), "two directories against the baseline");
    JsonNode again = json.get("ratios").get(0);
    assertEquals("MMapDirectory (again)", again.get("directory").asText());
    assertTrue(again.get("interval95").get("low").asDouble() > 0);
    assertEquals(2, json.get("means").size());
    assertTrue(notes.contains("took turns of"), notes);
  }
}
