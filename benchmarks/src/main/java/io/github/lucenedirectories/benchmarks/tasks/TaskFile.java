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
import java.util.zip.GZIPInputStream;

/** Reads and writes luceneutil task files: {@code Kind: query # comment}, plain or gzip. */
public final class TaskFile {

  private TaskFile() {}

  /**
   * The lines in order, without comments and blank lines.
   *
   * @throws UsageException if there is no such file, or a line has no kind
   */
  public static List<TaskLine> read(Path file) throws IOException {
    List<TaskLine> tasks = new ArrayList<>();
    int number = 0;
    for (String line : lines(file)) {
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
