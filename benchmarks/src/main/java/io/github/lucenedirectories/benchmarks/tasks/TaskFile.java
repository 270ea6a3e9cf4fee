// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Reads queries: luceneutil task files, {@code Kind: query # comment}, and logs, a query a line;
 * plain or gzip. Writes task files.
 */
public final class TaskFile {
  /** The kind of queries that come without one. */
  public static final String NO_KIND = "Query";

  /** luceneutil's kinds begin with a capital; others must at least stand apart from the query. */
  private static final Pattern TASK = Pattern.compile("([A-Z]\\w*:|[a-z]\\w*:\\s).*");

  private static final Pattern NUMBER = Pattern.compile("[0-9.]*");

  private TaskFile() {}

  /**
   * The lines in order, without comments and blank lines. Where most have no kind, each is a query
   * in the classic syntax; of one with columns, as logs have them, that is the second, or the first
   * where the second is a number.
   *
   * @throws UsageException if there is no such file, or most lines have a kind and one has none
   */
  public static List<TaskLine> read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UsageException("no such file: " + file);
    }
    List<String> lines = text(file).lines().toList();
    List<String> said =
        lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    long tasks = said.stream().filter(line -> TASK.matcher(line).matches()).count();
    List<TaskLine> read =
        2 * tasks < said.size() ? said.stream().map(TaskFile::query).toList() : tasks(file, lines);
    if (read.isEmpty()) {
      throw new UsageException("no queries in " + file);
    }
    return read;
  }

  private static List<TaskLine> tasks(Path file, List<String> lines) {
    List<TaskLine> tasks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String content = lines.get(i).split("#", 2)[0].strip();
      int colon = content.indexOf(':');
      if (!content.isEmpty() && (colon <= 0 || content.substring(0, colon).contains(" "))) {
        throw new UsageException(
            file + ":" + (i + 1) + ": a line without a kind, expected 'Kind: query'");
      }
      if (!content.isEmpty()) {
        tasks.add(new TaskLine(content.substring(0, colon), content.substring(colon + 1).strip()));
      }
    }
    return tasks;
  }

  private static TaskLine query(String line) {
    String[] columns = line.split("\t", -1);
    boolean second = columns.length > 1 && !NUMBER.matcher(columns[1].strip()).matches();
    // In a task file the mark begins a comment; no analysis keeps it.
    return new TaskLine(NO_KIND, columns[second ? 1 : 0].replace('#', ' ').strip());
  }

  /** Writes the lines so that {@link #read} gives them back. */
  public static void write(Path file, List<TaskLine> tasks) throws IOException {
    Files.write(file, tasks.stream().map(TaskLine::toString).toList());
  }

  private static String text(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
