package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.page.RunPage;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a workload of several measures leaves behind: results.json, report.html and the tables. */
public final class MeasureReport {
  private final Results results;
  private final List<MeasureGroup> groups;
  private final List<String> references;
  private final List<String> notes;

  /**
   * @param references labels of what every column is compared with, the baseline first
   * @param notes what was measured and how, a paragraph each
   */
  public MeasureReport(
      Results results, List<MeasureGroup> groups, List<String> references, List<String> notes) {
    this.results = results;
    this.groups = List.copyOf(groups);
    this.references = List.copyOf(references);
    this.notes = List.copyOf(notes);
  }

  /**
   * Writes both files.
   *
   * @param remarks what has to be said to the figures, a paragraph each
   */
  public void write(Path out, String title, List<String> remarks) throws IOException {
    List<String> paragraphs = new ArrayList<>(notes);
    paragraphs.add(
        "Figures are medians over forks. A ratio is the median over rounds of the ratio within a"
            + " round, and its interval (95 %) comes from resampling rounds. In the charts of"
            + " ratios a bar is such an interval, cut where it reaches far, coloured where 1.00 lies outside: blue is better"
            + " and orange is worse. The shaded band is the interval of the baseline against"
            + " itself.");
    paragraphs.addAll(remarks);
    Path file = out.resolve("results.json");
    results
        .shown(
            new Presentation(
                title,
                paragraphs,
                references,
                groups.stream().map(MeasureGroup::presentation).toList()))
        .write(file);
    new RunPage(Results.read(file)).write(out.resolve("report.html"));
  }

  /**
   * Prints the notes, the tables, what has to be said to them, and where the files are.
   *
   * @param remarks a line each
   */
  public void print(PrintWriter writer, Path out, List<String> remarks) {
    notes.forEach(writer::println);
    writer.println();
    new MeasureText(results, groups, references).lines().forEach(writer::println);
    remarks.forEach(writer::println);
    writer.println();
    writer.println("Written: " + out.resolve("results.json"));
    writer.println("Written: " + out.resolve("report.html"));
    writer.flush();
  }
}
