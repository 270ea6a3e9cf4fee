// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a cluster run that need no cluster. */
class ClusterTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode found(String id, String source, double score) throws IOException {
    return JSON.readTree(
        String.format(
            Locale.ROOT,
            """
        {"hits": {"total": {"value": 1},
        "hits": [{"_id": "%s", "_source": {"n": "%s"}, "_score": %s}]}}
        """,
            id,
            source,
            score));
  }

  @Test
  void answersDifferInIdsContentsAndScoresOfText() throws IOException {
    String answer = Queries.answer(found("1", "a", 1));
    assertEquals(answer, Queries.answer(found("1", "a", 1)));
    assertNotEquals(answer, Queries.answer(found("2", "a", 1)));
    assertNotEquals(answer, Queries.answer(found("1", "b", 1)));
    assertNotEquals(answer, Queries.answer(found("1", "a", 1.5)));
  }

  @Test
  void oneAnswerThatDiffersIsNamed() {
    Map<String, List<String>> expected = Map.of("Term", List.of("x", "y"));
    assertEquals("", ClusterWorkload.difference(expected, Map.of("Term", List.of("x", "y"))));
    assertEquals(
        "kind Term, query 2: expected y (as on hybridfs), found z",
        ClusterWorkload.difference(expected, Map.of("Term", List.of("x", "z"))));
    assertEquals(
        "kind Term, query 1: expected x (as on hybridfs), found none",
        ClusterWorkload.difference(expected, Map.of()));
  }

  @Test
  void errorsInLogsAreFound() {
    String error = "[2026-01-01][ERROR][o.o.Node] failed";
    String own =
        "\tat io.github.lucenedirectories.mmap.MappedDirectory.open(MappedDirectory.java:1)";
    List<String> log =
        List.of(
            error,
            "[2026-01-01][WARN ][o.o.Node] RemoteTransportException: became follower",
            own,
            "\tat org.opensearch.node.Node.start(Node.java:1)");
    assertEquals(List.of(error, own), Nodes.trouble(log));
  }

  @Test
  void queriesAskForWordsOfTheText() throws IOException {
    Queries queries = new Queries(1);
    for (int i = 0; i < 100; i++) {
      String body = "common word" + (char) ('a' + i % 10) + " other" + (char) ('a' + i % 7);
      queries.show(new LineDocument("t", 0, body, null));
    }
    Map<String, List<String>> picked = queries.pick(30);
    assertEquals(Queries.kinds(), List.copyOf(picked.keySet()));
    for (List<String> kind : picked.values()) {
      assertEquals(30, kind.size());
      for (String query : kind) {
        JSON.readTree(query);
      }
    }
    assertTrue(
        picked.getOrDefault("Term", List.of()).stream()
            .allMatch(query -> query.matches(".*\"(word|other)[a-j]\".*")));
  }

  @Test
  void aFolderThatTheNodesCannotEnterIsNamed(@TempDir Path folder) throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Path home = Files.createDirectory(closed.resolve("home"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    assertTrue(refusal(home).contains("cannot enter " + closed + " (rwx------)"), refusal(home));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx--x--x"));
    // The folders above may be closed too.
    assertFalse(refusal(home).contains(closed + " ("), refusal(home));
  }

  private static String refusal(Path home) throws IOException {
    try {
      Nodes.requireEnterable(home);
      return "";
    } catch (UsageException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
