package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.ArrayList;
import java.util.List;

/** The tables that a workload of several measures prints: one for each group, a line a column. */
public final class MeasureText {
  private final Results results;
  private final List<MeasureGroup> groups;
  private final List<String> references;

  /**
   * @param references labels of what every column is compared with, the baseline first
   */
  public MeasureText(Results results, List<MeasureGroup> groups, List<String> references) {
    this.results = results;
    this.groups = groups.stream().filter(group -> group.place() == Place.EVERYWHERE).toList();
    this.references = references.stream().filter(results.directories()::contains).toList();
  }

  /** The lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Medians over "
            + forks()
            + (forks() == 1 ? " fork" : " forks")
            + "; ratio to "
            + references.get(0)
            + " +- half its 95 % interval;");
    lines.add("> better and < worse only where 1.00 lies outside it");
    for (MeasureGroup group : groups) {
      if (isMeasured(group)) {
        lines.add("");
        lines.add(group.title());
        lines.addAll(values(group).lines());
      }
    }
    for (String reference : references.subList(1, references.size())) {
      lines.add("");
      lines.add("Ratio to " + reference);
      lines.addAll(ratios(reference).lines());
    }
    return lines;
  }

  private int forks() {
    return results.results().get(0).samples().size();
  }

  private boolean isMeasured(MeasureGroup group) {
    return group.measures().stream().anyMatch(measure -> results.tasks().contains(measure.task()));
  }

  private TextTable values(MeasureGroup group) {
    TextTable table = new TextTable();
    List<String> header = new ArrayList<>(List.of(""));
    for (Measure measure : group.measures()) {
      header.add(measure.heading() + " " + measure.unit());
      if (measure.isCompared()) {
        header.add("ratio  ");
      }
    }
    table.add(header);
    for (String directory : results.directories()) {
      List<String> row = new ArrayList<>(List.of(directory));
      for (Measure measure : group.measures()) {
        row.add(
            results
                .result(directory, measure.task())
                .map(result -> Numbers.rate(result.median()))
                .orElse("-"));
        if (measure.isCompared()) {
          row.add(ratio(directory, references.get(0), measure));
        }
      }
      table.add(row);
    }
    return table;
  }

  private TextTable ratios(String reference) {
    List<Measure> measures =
        groups.stream().flatMap(g -> g.measures().stream()).filter(Measure::isCompared).toList();
    TextTable table = new TextTable();
    List<String> header = new ArrayList<>(List.of(""));
    measures.forEach(measure -> header.add(measure.heading() + "  "));
    table.add(header);
    for (String directory : results.directories()) {
      if (!directory.equals(reference)) {
        List<String> row = new ArrayList<>(List.of(directory));
        measures.forEach(measure -> row.add(ratio(directory, reference, measure)));
        table.add(row);
      }
    }
    return table;
  }

  private String ratio(String directory, String reference, Measure measure) {
    return results.ratio(directory, reference, measure.task()).map(MeasureText::text).orElse("");
  }

  private static String text(Ratio ratio) {
    String mark =
        switch (ratio.verdict()) {
          case "faster" -> ">";
          case "slower" -> "<";
          default -> " ";
        };
    return Numbers.ratio(ratio.ratio(), ratio.interval95()) + " " + mark;
  }
}
