package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The queries of one kind.
 *
 * @param all as the task file has them
 * @param warming those that warm the JVM up
 * @param measured those that are measured
 */
record KindTasks(String kind, List<NamedTask> all, List<Task> warming, List<Task> measured) {

  /**
   * Groups a task file's queries.
   *
   * @param cold whether those that are measured must not have run before: they are every second
   *     one, unless the kind has one only
   */
  static List<KindTasks> of(List<NamedTask> tasks, boolean cold) {
    Map<String, List<NamedTask>> kinds = new LinkedHashMap<>();
    tasks.forEach(t -> kinds.computeIfAbsent(t.line().kind(), k -> new ArrayList<>()).add(t));
    return kinds.entrySet().stream()
        .map(
            kind -> {
              List<NamedTask> all = kind.getValue();
              boolean split = cold && all.size() > 1;
              return new KindTasks(
                  kind.getKey(),
                  all,
                  split ? everySecond(all, 1) : everyOne(all),
                  split ? everySecond(all, 0) : everyOne(all));
            })
        .toList();
  }

  private static List<Task> everyOne(List<NamedTask> tasks) {
    return tasks.stream().map(NamedTask::task).toList();
  }

  private static List<Task> everySecond(List<NamedTask> tasks, int first) {
    return IntStream.range(0, tasks.size())
        .filter(i -> i % 2 == first)
        .mapToObj(i -> tasks.get(i).task())
        .toList();
  }
}
