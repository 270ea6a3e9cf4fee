package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What the preparing fork found or made.
 *
 * @param index the index's path
 * @param source where its text comes from
 * @param field the text field
 * @param tasks the path of a file of the queries, all of which can run
 * @param kinds the kinds that will run
 * @param queries that will run
 * @param withoutHits those of them that find nothing; 0 if they were not counted
 * @param skipped what will not
 */
public record Prepared(
    String index,
    String source,
    String field,
    String tasks,
    int documents,
    int segments,
    long bytes,
    List<String> kinds,
    int queries,
    int withoutHits,
    List<Skipped> skipped) {
  public static final Prepared NONE =
      new Prepared("", "", "", "", 0, 0, 0, List.of(), 0, 0, List.of());

  public List<NamedTask> read() throws IOException {
    return NamedTask.read(Path.of(tasks), field);
  }

  public String summary() {
    return Numbers.text(
        "%s: %,d documents, %d segments, %s", source, documents, segments, Numbers.bytes(bytes));
  }
}
