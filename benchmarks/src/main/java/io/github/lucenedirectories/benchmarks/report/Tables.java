// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Presentation.FigureGroup;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** All tables that results hold, for the terminal and for a page. */
public final class Tables {
  private static final String LEGEND =
      "Median over JVMs, +- half of its 95 % interval. A ratio is the median over rounds, with its 95"
          + " % interval; > better and < worse only where 1.00 lies outside.";

  private final Results results;
  private final List<String> directories;
  private final List<String> references;
  private final List<TableView> all = new ArrayList<>();

  /** A table; the terminal shows it too if it is brief. Each row begins with its name. */
  public record TableView(
      String title, String note, boolean brief, List<String> header, List<List<Cell>> rows) {}

  /** A value, its ratio to the baseline, and how well that is known; empty what there is not. */
  public record Cell(String value, String ratio, String spread, String range, String verdict) {
    static Cell of(String value) {
      return new Cell(value, "", "", "", "same");
    }
  }

  private Tables(Results results) {
    this.results = results;
    this.directories = results.directories();
    this.references =
        Stream.concat(
                results.page().references().stream(), results.means().stream().map(Ratio::baseline))
            .distinct()
            .toList();
    results.page().groups().forEach(this::add);
    for (Results.Table table : results.tables()) {
      List<List<Cell>> rows =
          table.rows().stream().map(row -> row.stream().map(Cell::of).toList()).toList();
      all.add(new TableView(table.title(), table.note(), true, table.header(), rows));
    }
  }

  public static List<TableView> of(Results results) {
    return List.copyOf(new Tables(results).all);
  }

  public static void print(Results results, PrintWriter writer, boolean json, Path... written) {
    if (json) {
      writer.println(results.json());
    } else {
      lines(results).forEach(writer::println);
      writer.println();
      for (Path file : written) {
        writer.println("Written: " + file);
      }
    }
    writer.flush();
  }

  /** What the terminal shows: the verdict and, if the run has an answer, tables and hints. */
  static List<String> lines(Results results) {
    List<String> lines = new ArrayList<>();
    if (results.verdict() != null) {
      lines.addAll(results.verdict().sentences());
    }
    if (!results.isTrusted()) {
      return lines;
    }
    for (TableView table : of(results)) {
      if (table.brief()) {
        lines.add("");
        lines.add(table.title());
        Stream<List<String>> rows =
            table.rows().stream().map(row -> row.stream().map(Tables::text).toList());
        aligned(Stream.concat(Stream.of(table.header()), rows).toList(), lines);
      }
    }
    lines.add("");
    lines.add(LEGEND);
    lines.addAll(results.hints());
    return lines;
  }

  /** The first column to the left, the others to the right unless there is only one. */
  private static void aligned(List<List<String>> rows, List<String> lines) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = rows.stream().mapToInt(r -> r.get(column).length()).max().orElseThrow();
        String padding = " ".repeat(width - row.get(i).length());
        String cell = row.get(i);
        line.append(i == 0 ? "" : "  ");
        line.append(i == 0 || row.size() == 2 ? cell + padding : padding + cell);
      }
      lines.add(line.toString().stripTrailing());
    }
  }

  private static String text(Cell cell) {
    String mark =
        switch (cell.verdict()) {
          case "faster" -> " >";
          case "slower" -> " <";
          default -> "  ";
        };
    String ratio = cell.ratio() + (cell.spread().isEmpty() ? "" : " " + cell.spread());
    return cell.ratio().isEmpty()
        ? cell.value()
        : (cell.value().isEmpty() ? "" : cell.value() + "  ") + ratio + mark;
  }

  private void add(FigureGroup group) {
    List<Shown> shown =
        group.figures().stream().filter(f -> results.tasks().contains(f.task())).toList();
    if (shown.isEmpty()) {
      return;
    }
    String baseline = references.isEmpty() ? "" : references.getFirst();
    if (group.summed()) {
      String title = group.title() + (baseline.isEmpty() ? "" : ", and ratio to " + baseline);
      List<List<Cell>> rows = rows(shown, directories, (d, f) -> cell(d, baseline, f));
      addMean(rows, directories, baseline);
      all.add(new TableView(title, group.meaning(), true, header("kind", directories), rows));
    } else {
      addFigures(group, shown, baseline);
    }
    for (String other : references.stream().skip(1).toList()) {
      List<Shown> compared = shown.stream().filter(Shown::isCompared).toList();
      List<String> measured =
          directories.stream()
              .filter(d -> compared.stream().anyMatch(f -> ratio(d, other, f).isPresent()))
              .toList();
      if (group.onTerminal() && !measured.isEmpty()) {
        List<List<Cell>> rows = rows(compared, measured, (d, f) -> cell("", ratio(d, other, f)));
        if (group.summed()) {
          addMean(rows, measured, other);
        }
        String title = group.title() + ": ratio to " + other;
        all.add(new TableView(title, "", true, header("", measured), rows));
      }
    }
  }

  private void addFigures(FigureGroup group, List<Shown> shown, String baseline) {
    List<String> names =
        shown.stream().map(f -> f.heading() + (f.unit().isEmpty() ? "" : " " + f.unit())).toList();
    all.add(
        new TableView(
            group.title(),
            group.meaning(),
            group.onTerminal(),
            header("directory", names),
            directories.stream()
                .filter(d -> shown.stream().anyMatch(f -> results.result(d, f.task()).isPresent()))
                .map(d -> row(d, shown.stream().map(f -> cell(d, baseline, f))))
                .toList()));
  }

  private static List<List<Cell>> rows(
      List<Shown> figures, List<String> columns, BiFunction<String, Shown, Cell> cell) {
    List<List<Cell>> rows = new ArrayList<>();
    figures.forEach(f -> rows.add(row(f.heading(), columns.stream().map(d -> cell.apply(d, f)))));
    return rows;
  }

  private void addMean(List<List<Cell>> rows, List<String> columns, String other) {
    if (columns.stream().anyMatch(d -> results.mean(d, other).isPresent())) {
      rows.add(row("geometric mean", columns.stream().map(d -> cell("", results.mean(d, other)))));
    }
  }

  private static List<Cell> row(String name, Stream<Cell> cells) {
    return Stream.concat(Stream.of(Cell.of(name)), cells).toList();
  }

  private static List<String> header(String first, List<String> others) {
    return Stream.concat(Stream.of(first), others.stream()).toList();
  }

  private Optional<Ratio> ratio(String directory, String baseline, Shown figure) {
    return results.ratio(directory, baseline, figure.task());
  }

  private Cell cell(String directory, String baseline, Shown figure) {
    String value =
        results
            .result(directory, figure.task())
            .map(r -> Numbers.rate(r.median()) + " " + Numbers.spread(r.median(), r.interval95()))
            .orElse("-")
            .strip();
    return cell(value, ratio(directory, baseline, figure));
  }

  private static Cell cell(String value, Optional<Ratio> found) {
    return found.map(ratio -> cell(value, ratio)).orElse(Cell.of(value));
  }

  private static Cell cell(String value, Ratio found) {
    Interval interval = found.interval95();
    return new Cell(
        value,
        Numbers.ratio(found.ratio()),
        Numbers.spread(found.ratio(), interval),
        interval == null ? "" : Numbers.range(interval),
        found.verdict());
  }
}
