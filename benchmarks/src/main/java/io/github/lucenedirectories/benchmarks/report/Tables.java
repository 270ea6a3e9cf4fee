package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All tables that results hold, for the terminal and for a page. */
public final class Tables {
  private static final String LEGEND =
      "Median over JVMs, +- half of its 95 % interval. A ratio is the median over rounds, with its 95"
          + " % interval; > better and < worse only where 1.00 lies outside.";

  private static final Cell NONE = Cell.of("");

  private final Results results;
  private final List<String> directories;
  private final List<String> references;
  private final List<Table> all = new ArrayList<>();

  /**
   * A table.
   *
   * @param brief whether the terminal shows it too
   * @param rows of cells, each of which begins with its name
   */
  public record Table(
      String title, String note, boolean brief, List<String> header, List<List<Cell>> rows) {}

  /**
   * A cell of a table.
   *
   * @param value a figure, or a name
   * @param ratio to the baseline; empty if there is none
   * @param spread of the ratio, short
   * @param range of the ratio, in full
   * @param verdict better, worse or same
   */
  public record Cell(String value, String ratio, String spread, String range, String verdict) {
    static Cell of(String value) {
      return new Cell(value, "", "", "", "same");
    }
  }

  private Tables(Results results) {
    this.results = results;
    this.directories = results.directories();
    Presentation page = results.presentation();
    this.references =
        Stream.concat(page.references().stream(), results.means().stream().map(Mean::baseline))
            .distinct()
            .toList();
    for (Group group : page.groups()) {
      add(group);
    }
    for (Results.Table table : results.tables()) {
      all.add(
          new Table(
              table.title(),
              table.note(),
              true,
              table.header(),
              table.rows().stream().map(row -> row.stream().map(Cell::of).toList()).toList()));
    }
  }

  /** The tables, in order. */
  public static List<Table> of(Results results) {
    return List.copyOf(new Tables(results).all);
  }

  /**
   * Prints results.
   *
   * @param json whether as JSON, in place of tables
   * @param written files that hold more
   */
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

  /** What the terminal shows of results: the verdict, the tables and the hints. */
  static List<String> lines(Results results) {
    List<String> lines = new ArrayList<>();
    if (results.verdict() != null) {
      lines.add(results.verdict().text());
    }
    for (Table table : of(results)) {
      if (table.brief()) {
        lines.add("");
        lines.add(table.title());
        TextTable text = new TextTable();
        text.add(table.header());
        table.rows().forEach(row -> text.add(row.stream().map(Tables::text).toList()));
        lines.addAll(text.lines());
      }
    }
    lines.add("");
    lines.add(LEGEND);
    lines.addAll(results.hints());
    return lines;
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

  private void add(Group group) {
    List<Shown> shown =
        group.figures().stream().filter(f -> results.tasks().contains(f.task())).toList();
    if (shown.isEmpty()) {
      return;
    }
    String baseline = references.isEmpty() ? "" : references.get(0);
    if (group.summed()) {
      addKinds(group, shown, baseline);
    } else {
      addFigures(group, shown, baseline);
    }
    for (String other : references.subList(Math.min(1, references.size()), references.size())) {
      List<Shown> compared = shown.stream().filter(Shown::isCompared).toList();
      List<String> measured =
          directories.stream()
              .filter(d -> compared.stream().anyMatch(f -> ratio(d, other, f).isPresent()))
              .toList();
      if (group.charted() && !measured.isEmpty()) {
        addRatios(group, compared, other, measured);
      }
    }
  }

  /** A line for each kind, and their mean. */
  private void addKinds(Group group, List<Shown> shown, String baseline) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Shown figure : shown) {
      rows.add(row(figure.heading(), directories, d -> cell(d, baseline, figure)));
    }
    if (directories.stream().anyMatch(d -> results.mean(d, baseline).isPresent())) {
      rows.add(row("geometric mean", directories, d -> mean(d, baseline)));
    }
    all.add(
        new Table(
            group.title() + (baseline.isEmpty() ? "" : ", and ratio to " + baseline),
            group.meaning(),
            true,
            header("kind", directories),
            rows));
  }

  /** A line for each directory. */
  private void addFigures(Group group, List<Shown> shown, String baseline) {
    List<String> names =
        shown.stream().map(f -> f.heading() + (f.unit().isEmpty() ? "" : " " + f.unit())).toList();
    all.add(
        new Table(
            group.title(),
            group.meaning(),
            group.charted(),
            header("directory", names),
            directories.stream()
                .filter(d -> shown.stream().anyMatch(f -> results.result(d, f.task()).isPresent()))
                .map(d -> row(d, shown, f -> cell(d, baseline, f)))
                .toList()));
  }

  private void addRatios(Group group, List<Shown> shown, String other, List<String> measured) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Shown figure : shown) {
      rows.add(
          row(
              figure.heading(),
              measured,
              d -> ratio(d, other, figure).map(this::bare).orElse(NONE)));
    }
    if (group.summed()) {
      rows.add(row("geometric mean", measured, d -> mean(d, other)));
    }
    all.add(new Table(group.title() + ": ratio to " + other, "", true, header("", measured), rows));
  }

  private interface Filled<T> {
    Cell cell(T of);
  }

  private static <T> List<Cell> row(String name, List<T> columns, Filled<T> filled) {
    return Stream.concat(Stream.of(Cell.of(name)), columns.stream().map(filled::cell)).toList();
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
            .map(
                r ->
                    (Numbers.rate(r.median()) + " " + Numbers.spread(r.median(), r.interval95()))
                        .strip())
            .orElse("-");
    return ratio(directory, baseline, figure)
        .map(r -> cell(value, r.ratio(), r.interval95(), r.verdict()))
        .orElse(Cell.of(value));
  }

  private Cell bare(Ratio ratio) {
    return cell("", ratio.ratio(), ratio.interval95(), ratio.verdict());
  }

  private Cell mean(String directory, String baseline) {
    return results
        .mean(directory, baseline)
        .map(m -> cell("", m.ratio(), m.interval95(), verdict(m.interval95())))
        .orElse(NONE);
  }

  private static String verdict(@Nullable Interval interval) {
    return interval == null || interval.contains(1)
        ? "same"
        : interval.low() > 1 ? "faster" : "slower";
  }

  private Cell cell(String value, double ratio, @Nullable Interval interval, String verdict) {
    return new Cell(
        value,
        Numbers.ratio(ratio),
        Numbers.spread(ratio, interval),
        interval == null ? "" : Numbers.range(interval),
        results.isTrusted() ? verdict : "same");
  }
}
