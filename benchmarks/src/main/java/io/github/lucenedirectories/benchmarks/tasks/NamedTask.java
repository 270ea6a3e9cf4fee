package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A task and the line it was parsed from. */
public record NamedTask(TaskLine line, Task task) {

  /**
   * The tasks of a file whose lines were chosen because they can run.
   *
   * @throws RunFailedException if one cannot run after all
   */
  public static List<NamedTask> read(Path file, String field) throws IOException {
    TaskParser parser = new TaskParser(field);
    List<NamedTask> tasks = new ArrayList<>();
    for (TaskLine line : TaskFile.read(file)) {
      try {
        tasks.add(new NamedTask(line, parser.parse(line)));
      } catch (UnsupportedTaskException e) {
        throw new RunFailedException("a line that was chosen cannot run: " + line, e);
      }
    }
    return tasks;
  }
}
