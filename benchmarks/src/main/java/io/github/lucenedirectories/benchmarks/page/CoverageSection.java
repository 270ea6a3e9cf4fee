package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.ChartSection;
import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.IntervalChart;
import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Coverage;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** How often the intervals of comparisons of a directory with itself held 1.00. */
public final class CoverageSection implements HtmlSection {
  /** What the counts mean, and what they rest on. */
  public static final String MEANING =
      "The true ratio of a directory to itself is 1.00, and of the intervals 95 in 100 should hold"
          + " it. Each comparison has JVMs of its own and is made and analysed as compare does it;"
          + " comparisons share the index and the machine, and no measured value, so that their"
          + " hits and misses count as independent in the exact binomial test. The kinds of one"
          + " comparison are measured in the same JVMs: they are not independent of each other, and"
          + " each is tested for itself, with an error of 5 in 100 for all of them together. What"
          + " holds for these short JVMs need not hold for noise of another shape.";

  private static final String SEPARATOR = " #";
  private static final double NOMINAL = 0.95;
  private static final List<String> HEADER =
      List.of(
          "kind", "comparisons", "hold 1.00", "share", "its 95 % interval", "p", "as they should");

  private final Map<String, List<Ratio>> kinds = new LinkedHashMap<>();

  /** Counts the ratios whose tasks have a number. */
  public CoverageSection(Results results) {
    for (Ratio ratio : results.ratios()) {
      int end = ratio.task().lastIndexOf(SEPARATOR);
      if (end > 0 && ratio.interval95() != null) {
        kinds.computeIfAbsent(ratio.task().substring(0, end), kind -> new ArrayList<>()).add(ratio);
      }
    }
  }

  /** The name of a kind's figure in one of many comparisons. */
  public static String task(String kind, int comparison) {
    return kind + SEPARATOR + comparison;
  }

  /** Whether there are any such comparisons. */
  boolean isEmpty() {
    return kinds.isEmpty();
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    kinds.forEach(
        (kind, ratios) -> {
          int held = (int) ratios.stream().filter(CoverageSection::holds).count();
          Coverage coverage = new Coverage(held, ratios.size(), NOMINAL);
          Interval interval = coverage.interval95();
          rows.add(
              List.of(
                  kind,
                  Integer.toString(ratios.size()),
                  Integer.toString(held),
                  percent(coverage.share()),
                  percent(interval.low()) + " to " + percent(interval.high()),
                  String.format(Locale.ROOT, "%.3f", coverage.probability()),
                  switch (coverage.verdict(kinds.size())) {
                    case AS_OFTEN -> "yes";
                    case TOO_SELDOM -> "no: too narrow";
                    case TOO_OFTEN -> "no: wider than needed";
                  }));
        });
    return rows;
  }

  private static boolean holds(Ratio ratio) {
    return Objects.requireNonNull(ratio.interval95()).contains(1);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** The table for a terminal. */
  public List<String> lines() {
    TextTable table = new TextTable();
    table.add(HEADER);
    rows().forEach(table::add);
    return table.lines();
  }

  @Override
  public List<ChartFigure> figures() {
    List<ChartFigure> figures = new ArrayList<>();
    kinds.forEach(
        (kind, ratios) -> {
          IntervalChart chart = new IntervalChart();
          for (Ratio ratio : ratios) {
            chart.add(ratio.task(), ratio.ratio(), Objects.requireNonNull(ratio.interval95()));
          }
          figures.add(
              new ChartFigure(
                  "Coverage",
                  kind,
                  chart.svg(Html.escape(kind)),
                  "orange: 1.00 lies outside; the axis is logarithmic",
                  chart.data()));
        });
    return figures;
  }

  @Override
  public void write(StringBuilder html) {
    html.append("<h2>How often the 95 % intervals hold 1.00</h2>\n<p class='note'>");
    html.append(Html.escape(MEANING)).append("</p>\n<div class='scroll'><table><tr>");
    HEADER.forEach(cell -> html.append("<th>").append(cell).append("</th>"));
    html.append("</tr>\n");
    for (List<String> row : rows()) {
      html.append("<tr>");
      row.forEach(cell -> html.append("<td>").append(Html.escape(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    html.append("</table></div>\n<h2>All comparisons, by their ratio</h2>\n");
    ChartSection.grid(html, figures());
  }
}
