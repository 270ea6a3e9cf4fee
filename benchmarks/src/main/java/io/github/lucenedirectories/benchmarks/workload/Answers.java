package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.tasks.Answer;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What one directory answered to all queries.
 *
 * @param all in the order of the queries
 */
public record Answers(List<Asked> all) {
  /** What a fork says with its answers. */
  static final String ANSWERED = "answered";

  /** One query and its answer. */
  public record Asked(String kind, String query, Answer answer) {}

  /** Runs every query once. */
  public static Answers ask(List<NamedTask> tasks, SearchContext context) throws IOException {
    List<Asked> all = new ArrayList<>();
    for (NamedTask task : tasks) {
      all.add(new Asked(task.line().kind(), task.line().text(), task.task().answer(context)));
    }
    return new Answers(all);
  }
}
