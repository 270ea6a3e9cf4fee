package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.UsageException;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.tasks.TaskLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A user's queries: a task file, or one query a line in the classic syntax. A file is a task file
 * if each of its lines has a kind.
 */
final class GivenQueries {
  private GivenQueries() {}

  /**
   * Writes them as a task file, and gives their number.
   *
   * @throws UsageException if there is no such file, or nothing in it
   */
  static int write(Path given, Path tasks) throws IOException {
    List<String> lines = TaskFile.lines(given);
    List<String> told =
        lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    if (told.isEmpty()) {
      throw new UsageException("no queries in " + given);
    }
    List<TaskLine> queries =
        told.stream().allMatch(TaskFile::isTask) ? TaskFile.read(given) : TaskFile.queries(told);
    TaskFile.write(tasks, queries);
    return queries.size();
  }
}
