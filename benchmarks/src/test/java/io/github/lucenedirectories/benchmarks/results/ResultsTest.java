// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.results.Results.At;
import io.github.lucenedirectories.benchmarks.results.Results.Series;
import io.github.lucenedirectories.benchmarks.results.Results.Table;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of results: its schema, its version, and the files of the project. */
class ResultsTest {
  @TempDir private Path folder;

  /** The project's root: tests run in a folder below it. */
  private static Path root() {
    Path path = Path.of("").toAbsolutePath();
    while (!Files.exists(path.resolve("docs/results.schema.json"))) {
      path = Objects.requireNonNull(path.getParent());
    }
    return path;
  }

  private static Results full() {
    return new MadeUp(4, 0.01)
        .control()
        .column("Ram", 1.2, 0.8)
        .results()
        .withSeries(
            List.of(
                new Series(
                    "test", "Ram", "s", "seconds", "ms", 5.0, List.of(new At(1, List.of(2.0))))))
        .withTables(List.of(new Table("t", "n", List.of("a"), List.of(List.of("b")))))
        .advising(
            new Advice("Ram", List.of("fast"), "code", null, List.of(), List.of(), List.of()));
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
  void theSchemaKnowsEveryProperty() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode schema = mapper.readTree(root().resolve("docs/results.schema.json").toFile());
    List<String> wrong = new ArrayList<>();
    check(schema, schema, mapper.readTree(full().json()), "", wrong);
    assertEquals(List.of(), wrong);
    assertEquals(Results.VERSION, schema.at("/properties/version/const").asInt());
    // The test of the test: a property of the wrong type, and one too many.
    JsonNode bad = mapper.readTree("{\"version\": 1, \"more\": 2, \"results\": 3}");
    check(schema, schema, bad, "", wrong);
    assertTrue(wrong.size() >= 3, wrong.toString());
  }

  /** The part of JSON Schema that the file uses; a property that the schema lacks is wrong too. */
  private static void check(
      JsonNode root, JsonNode schema, JsonNode value, String at, List<String> wrong) {
    JsonNode reference = schema.get("$ref");
    if (reference != null) {
      check(root, root.at(reference.asText().substring(1)), value, at, wrong);
      return;
    }
    boolean right =
        switch (schema.path("type").asText("")) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isTextual();
          case "number" -> value.isNumber();
          case "integer" -> value.isIntegralNumber();
          case "boolean" -> value.isBoolean();
          default -> true;
        };
    if (!right || (schema.has("const") && !schema.get("const").equals(value))) {
      wrong.add(at + " is " + value);
    }
    if (schema.has("enum") && !schema.get("enum").toString().contains(value.toString())) {
      wrong.add(at + " is " + value);
    }
    schema
        .path("required")
        .forEach(
            name -> {
              if (!value.has(name.asText())) {
                wrong.add(at + "/" + name.asText() + " is missing");
              }
            });
    JsonNode properties = schema.path("properties");
    value
        .properties()
        .forEach(
            entry -> {
              String path = at + "/" + entry.getKey();
              if (properties.has(entry.getKey())) {
                check(root, properties.get(entry.getKey()), entry.getValue(), path, wrong);
              } else if (schema.has("properties")) {
                wrong.add(path + " is not in the schema");
              }
            });
    if (schema.has("items")) {
      value.forEach(item -> check(root, schema.get("items"), item, at + "[]", wrong));
    }
  }

  @Test
  void theResultsOfTheProjectsOwnRunsAreRead() throws IOException {
    try (Stream<Path> found = Files.walk(root().resolve("docs/benchmarks"))) {
      List<Path> files = found.filter(f -> f.endsWith("results.json.gz")).toList();
      assertFalse(files.isEmpty());
      for (Path file : files) {
        Results results = Results.read(Results.in(file.getParent()));
        assertFalse(Objects.requireNonNull(results.verdict()).text().isEmpty(), file.toString());
        assertFalse(results.page().title().isEmpty(), file.toString());
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
