package io.github.lucenedirectories.benchmarks.search;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.tasks.Answer;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All that one directory answered to all tasks.
 *
 * @param all in the order of the tasks
 */
public record Answers(List<Asked> all) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** One task and its answer. */
  public record Asked(String kind, String query, Answer answer) {}

  /** Asks every task once. */
  public static Answers ask(List<NamedTask> tasks, SearchContext context) throws IOException {
    List<Asked> all = new ArrayList<>();
    for (NamedTask task : tasks) {
      Answer answer = task.task().answer(context);
      all.add(new Asked(task.line().kind(), task.line().text(), answer));
    }
    return new Answers(all);
  }

  /** Writes what {@link #read} reads. */
  public void write(Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), this);
  }

  /** Reads what a fork wrote. */
  public static Answers read(Path file) throws IOException {
    return MAPPER.readValue(file.toFile(), Answers.class);
  }
}
