package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.UsageException;
import java.io.BufferedInputStream;
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

  private static final Pattern TASK = Pattern.compile("[A-Za-z]\\w*:\\s.*");
  private static final String COLUMN = "\t";

  private TaskFile() {}

  /** Whether a line has a kind. */
  public static boolean isTask(String line) {
    return TASK.matcher(line).matches();
  }

  /**
   * The lines in order, without comments and blank lines. Where none has a kind, each is a query.
   *
   * @throws UsageException if there is no such file, or some lines have a kind and one has none
   */
  public static List<TaskLine> read(Path file) throws IOException {
    List<TaskLine> tasks = new ArrayList<>();
    List<String> lines = lines(file);
    if (lines.stream().noneMatch(TaskFile::isTask)) {
      tasks.addAll(queries(lines));
      lines = List.of();
    }
    int number = 0;
    for (String line : lines) {
      number++;
      int comment = line.indexOf('#');
      String content = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (content.isEmpty()) {
        continue;
      }
      int colon = content.indexOf(':');
      if (colon <= 0 || content.substring(0, colon).contains(" ")) {
        throw new UsageException(
            file + ":" + number + ": a line without a kind, expected 'Kind: query'");
      }
      tasks.add(new TaskLine(content.substring(0, colon), content.substring(colon + 1).strip()));
    }
    if (tasks.isEmpty()) {
      throw new UsageException("no tasks in " + file);
    }
    return tasks;
  }

  /**
   * Each line as a query in the classic syntax; of one with columns, as logs have them, the second
   * column. Blank lines and those that begin with {@code #} are left out.
   */
  public static List<TaskLine> queries(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.contains(COLUMN) ? line.split(COLUMN, -1)[1] : line)
        // In a task file the mark begins a comment; no analysis keeps it.
        .map(query -> new TaskLine(NO_KIND, query.replace('#', ' ').strip()))
        .toList();
  }

  /**
   * All lines as they stand, plain or gzip.
   *
   * @throws UsageException if there is no such file
   */
  public static List<String> lines(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UsageException("no such file: " + file);
    }
    return List.of(text(file).split("\r?\n", -1));
  }

  /** Writes the lines so that {@link #read} gives them back. */
  public static void write(Path file, List<TaskLine> tasks) throws IOException {
    Files.write(file, tasks.stream().map(TaskLine::toString).toList());
  }

  private static String text(Path file) throws IOException {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
      InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
