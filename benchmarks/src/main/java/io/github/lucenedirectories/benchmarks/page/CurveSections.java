package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.ChartSection;
import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All charts of lines that results hold: along time or a load, percentiles, and times by the size
 * of a commit. A panel is drawn for each of them: one with the directories of a run, or one for
 * each directory with the runs.
 */
final class CurveSections {
  private final List<Panel> panels;
  private final List<Curves> runs;

  /**
   * What becomes one line.
   *
   * @param number of its style
   */
  record Trace(int number, String label, Curves run, String directory) {}

  /**
   * What becomes one chart of each topic.
   *
   * @param title after that of the topic; may be empty
   */
  record Panel(String title, List<Trace> traces) {}

  private CurveSections(List<Panel> panels) {
    this.panels = panels;
    this.runs =
        panels.stream().flatMap(p -> p.traces().stream()).map(Trace::run).distinct().toList();
  }

  /** Those of one run. */
  static CurveSections of(Results results) {
    Curves curves = new Curves(results);
    List<String> directories = results.directories();
    List<Trace> traces = new ArrayList<>();
    for (int i = 0; i < directories.size(); i++) {
      traces.add(new Trace(i, directories.get(i), curves, directories.get(i)));
    }
    return new CurveSections(List.of(new Panel("", traces)));
  }

  /**
   * Those of several runs.
   *
   * @param runs by their names
   * @param directories that several of them have
   */
  static CurveSections of(Map<String, Results> runs, List<String> directories) {
    Map<String, Curves> curves = new LinkedHashMap<>();
    runs.forEach((name, results) -> curves.put(name, new Curves(results)));
    List<Panel> panels = new ArrayList<>();
    for (String directory : directories) {
      List<Trace> traces = new ArrayList<>();
      curves.forEach((name, run) -> traces.add(new Trace(traces.size(), name, run, directory)));
      panels.add(new Panel(directory, traces));
    }
    return new CurveSections(panels);
  }

  /** The sections; some may have no chart. */
  List<ChartSection> sections() {
    List<ChartSection> sections = new ArrayList<>();
    List<String> axes =
        runs.stream().flatMap(r -> r.series().stream()).map(Series::along).distinct().toList();
    axes.forEach(axis -> sections.add(along(axis)));
    sections.add(bySize());
    sections.add(percentiles());
    return sections;
  }

  private ChartSection along(String axis) {
    boolean time = axis.equals(Curves.SECONDS);
    String title = time ? "Over time" : "By " + axis;
    List<ChartFigure> figures = new ArrayList<>();
    runs.stream()
        .flatMap(run -> run.series().stream())
        .filter(series -> series.along().equals(axis))
        .map(Series::task)
        .distinct()
        .forEach(
            task -> panels.forEach(panel -> add(figures, series(title, axis, task, panel, time))));
    return new ChartSection(
        title,
        (time ? "Seconds from the end of the warm-up on. " : "")
            + "Each point is the median over JVMs; where there are few points, bars reach from the"
            + " lowest JVM to the highest.",
        figures);
  }

  private static Lines series(String group, String axis, String task, Panel panel, boolean time) {
    Map<Trace, Series> found = new LinkedHashMap<>();
    for (Trace trace : panel.traces()) {
      trace.run().series().stream()
          .filter(s -> s.task().equals(task) && s.along().equals(axis))
          .filter(s -> s.directory().equals(trace.directory()))
          .findFirst()
          .ifPresent(s -> found.put(trace, s));
    }
    @Nullable Double limit =
        found.values().stream()
            .map(Series::limit)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    return new Lines(
        group,
        titled(task + (time ? " over time" : ""), panel),
        found.values().stream().map(Series::unit).findFirst().orElse(""),
        !time,
        axis,
        Curves.ticks(List.copyOf(found.values())),
        limit,
        found.entrySet().stream().map(e -> line(e.getKey(), Curves.points(e.getValue()))).toList());
  }

  private ChartSection percentiles() {
    String title = "Percentiles";
    List<ChartFigure> figures = new ArrayList<>();
    names(Curves::latencies)
        .forEach(task -> panels.forEach(panel -> add(figures, percentiles(title, task, panel))));
    return new ChartSection(
        title,
        "Both axes are logarithmic, the horizontal one in the share of values above: each further"
            + " nine has the same room. Each point is the median over JVMs of their own percentiles,"
            + " its bar the 95 % interval of that median. Lines end where a JVM has no value above"
            + " any more.",
        figures);
  }

  private static Lines percentiles(String group, String task, Panel panel) {
    List<Lines.Line> lines =
        panel.traces().stream()
            .map(trace -> line(trace, trace.run().percentiles(trace.directory(), task)))
            .toList();
    return new Lines(
        group,
        titled(task, panel),
        "ms",
        true,
        TailAxis.TITLE,
        TailAxis.ticks(lines.stream().map(Lines.Line::points).toList()),
        null,
        lines);
  }

  private ChartSection bySize() {
    String title = "By documents per commit";
    List<ChartFigure> figures = new ArrayList<>();
    names(Curves::bySize)
        .forEach(name -> panels.forEach(panel -> add(figures, bySize(title, name, panel))));
    return new ChartSection(
        title, "Each point is a median over JVMs, its bar the 95 % interval of it.", figures);
  }

  private static Lines bySize(String group, String name, Panel panel) {
    Map<Trace, Curves.Line> found = new LinkedHashMap<>();
    panel.traces().forEach(trace -> found.put(trace, trace.run().bySize(trace.directory(), name)));
    List<Tick> ticks =
        found.values().stream()
            .map(Curves.Line::ticks)
            .max((a, b) -> Integer.compare(a.size(), b.size()))
            .orElse(List.of());
    String unit =
        found.values().stream()
            .map(Curves.Line::unit)
            .filter(u -> !u.isEmpty())
            .findFirst()
            .orElse("");
    return new Lines(
        group,
        titled(name, panel),
        unit,
        true,
        Curves.BY_SIZE_AXIS,
        ticks,
        null,
        found.entrySet().stream().map(e -> line(e.getKey(), e.getValue().points())).toList());
  }

  private List<String> names(Function<Curves, List<String>> of) {
    return runs.stream().flatMap(run -> of.apply(run).stream()).distinct().toList();
  }

  private static Lines.Line line(Trace trace, List<Point> points) {
    return new Lines.Line(trace.number(), trace.label(), points);
  }

  private static void add(List<ChartFigure> figures, Lines lines) {
    if (!lines.isEmpty()) {
      figures.add(lines.figure());
    }
  }

  private static String titled(String name, Panel panel) {
    String title = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return panel.title().isEmpty() ? title : title + ": " + panel.title();
  }
}
