package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.report.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/** A run's table with what a reader has to know about it, and the files it is written to. */
final class MicroReport {
  private final List<RunResult> results;
  private final List<String> lines;

  MicroReport(MicroSettings settings, List<RunResult> results) {
    this.results = List.copyOf(results);
    this.lines = new ArrayList<>();
    lines.add(LocalDate.now(ZoneOffset.UTC).toString());
    Environment.describe(Path.of(System.getProperty("java.io.tmpdir")), settings.jvmFlags())
        .forEach((name, value) -> lines.add(name + ": " + value));
    lines.add(
        "forks="
            + settings.forks()
            + " interleaved, each "
            + settings.length()
            + " to warm up, threads="
            + settings.threads());
    lines.addAll(
        new MicroTable(results.stream().map(Measurement::of).toList(), settings.forks(), Block.SEED)
            .lines());
    lines.add("");
    lines.add(
        settings.forks() == 1
            ? "One fork gives no interval, so no difference here is known to be one."
            : "Times are medians over forks. A speed is the median over rounds of the ratio within"
                + " a round, in brackets its 95 % interval: only one that excludes 1 shows a"
                + " difference.");
  }

  /** The text, line by line. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /**
   * Makes a folder for results ready before a run that may take an hour.
   *
   * @throws UsageException if there is none and none can be made
   */
  static void prepare(Path folder) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UsageException("not a folder: " + folder);
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UsageException("cannot make the folder " + folder + ": " + e, e);
    }
    if (!Files.isWritable(folder)) {
      throw new UsageException("cannot write to the folder " + folder);
    }
  }

  /** Writes JMH's results and the text into a folder, and returns the two files. */
  List<Path> write(Path folder) throws IOException {
    Path json = folder.resolve("micro.json");
    Path text = folder.resolve("micro.txt");
    ResultFormatFactory.getInstance(ResultFormatType.JSON, json.toString()).writeOut(results);
    Files.write(text, lines);
    return List.of(json, text);
  }
}
