// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.tasks.QueryPicker;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which queries a workload runs. */
public final class TaskOptions {

  @Option(
      names = "--tasks",
      paramLabel = "FILE",
      description =
          "queries: a luceneutil task file, or a log with a query a line (of several columns the"
              + " second, or the first where the second is a number); default: picked from the"
              + " index")
  private @Nullable Path tasks;

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description = "only these query kinds")
  private List<String> kinds = List.of();

  @Option(
      names = "--queries",
      paramLabel = "N",
      description =
          "queries of each kind (default: 10, with --quick 4; of memory-limit and load: see below)")
  private @Nullable Integer queries;

  /** Refuses at once what needs no index to be refused. */
  public void check() throws IOException {
    if (queries != null && queries < 1) {
      throw new UsageException("--queries must be more than 0: " + queries);
    }
    if (tasks == null) {
      TaskSelection.checkKinds(kinds, QueryPicker.ALL_KINDS);
    } else {
      TaskFile.read(tasks);
    }
  }

  @Nullable String tasks() {
    return tasks == null ? null : tasks.toString();
  }

  /** The kinds to run, empty for all: others where the user names neither kinds nor a file. */
  List<String> kinds(List<String> otherwise) {
    return kinds.isEmpty() && tasks == null ? otherwise : kinds;
  }

  public int queries(int otherwise) {
    return queries == null ? otherwise : queries;
  }
}
