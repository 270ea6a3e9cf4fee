package io.github.lucenedirectories.benchmarks.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.EndedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it: a trace is recorded, replayed, and replayed again. */
class CacheTraceCommandTest {
  private static final int DOCUMENTS = 20_000;
  private static final double SAME = 1e-9;

  @TempDir private Path folder;

  private EndedCommand run(String... arguments) {
    return EndedCommand.run("cache-trace", folder.resolve("out"), arguments);
  }

  private JsonNode results() throws IOException {
    return new ObjectMapper().readTree(folder.resolve("out").resolve("results.json").toFile());
  }

  @Test
  void inputIsRefusedAtOnce() throws IOException {
    run("--queries-run", "0").assertRefused("--queries-run must be more than 0: 0");
    run("--block-bytes", "5000")
        .assertRefused("--block-bytes must be powers of two from 4096: 5000");
    run("--shares", "-1").assertRefused("--shares must be more than 0: -1");
    Path other = folder.resolve("other.gz");
    Files.writeString(other, "no trace");
    EndedCommand foreign = run("--trace", other.toString());
    assertEquals(2, foreign.status());
    assertTrue(foreign.err().startsWith("cannot read the trace " + other), foreign.err());
  }

  @Test
  void sameTraceSameHits() throws IOException {
    String[] sizes = {"--block-bytes", "4096,16384", "--shares", "0.1,0.5"};
    EndedCommand recorded =
        run(
            "--index",
            index().toString(),
            "--queries-run",
            "400",
            "--queries",
            "40",
            "--kinds",
            "MedTerm,Stored",
            sizes[0],
            sizes[1],
            sizes[2],
            sizes[3]);
    recorded.assertDone();
    JsonNode first = results();
    assertEquals(6, first.get("rows").size());
    for (JsonNode row : first.get("rows")) {
      double ours = row.get("ours").get("hitRate").asDouble();
      double caffeine = row.get("caffeine").get("hitRate").asDouble();
      if (row.get("share").asDouble() == 1) {
        // All fit, and the last of several rounds tells.
        assertEquals(1, ours, SAME, row.toString());
        assertEquals(1, caffeine, SAME, row.toString());
      } else {
        assertTrue(ours > 0 && ours < 1 && caffeine > 0 && caffeine < 1, row.toString());
      }
    }

    Path trace = folder.resolve("out").resolve("accesses.trace.gz");
    EndedCommand replayed =
        run("--trace", trace.toString(), sizes[0], sizes[1], sizes[2], sizes[3]);
    replayed.assertDone();
    JsonNode second = results();
    assertEquals(first.get("accesses"), second.get("accesses"));
    for (int i = 0; i < first.get("rows").size(); i++) {
      assertEquals(
          first.get("rows").get(i).get("ours").get("hitRate"),
          second.get("rows").get(i).get("ours").get("hitRate"));
    }
  }

  private Path index() throws IOException {
    Path index = folder.resolve("index");
    Random random = new Random(7);
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        StringBuilder words = new StringBuilder();
        for (int j = 0; j < 4; j++) {
          words.append("word").append((char) ('a' + random.nextInt(20)));
          words.append((char) ('a' + random.nextInt(20))).append(' ');
        }
        Document document = new Document();
        document.add(new TextField("body", words.toString(), Field.Store.YES));
        writer.addDocument(document);
      }
      writer.commit();
    }
    return index;
  }
}
