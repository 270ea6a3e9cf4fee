package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.ChartSection;
import io.github.lucenedirectories.benchmarks.report.ForestChart;
import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A group's part of the page: what it means, a chart of ratios for each figure, and a table. */
public final class GroupSection implements HtmlSection {
  private static final String AGAIN = " (again)";

  private final Results results;
  private final Group group;
  private final List<Shown> shown;
  private final List<String> references;

  /**
   * @param references labels of what every column is compared with, the baseline first
   */
  public GroupSection(Results results, Group group, List<String> references) {
    this.results = results;
    this.group = group;
    this.shown = group.figures().stream().filter(f -> results.tasks().contains(f.task())).toList();
    this.references = references.stream().filter(results.directories()::contains).toList();
  }

  @Override
  public void write(StringBuilder html) {
    if (shown.isEmpty()) {
      return;
    }
    html.append("<h2>").append(Html.escape(group.title())).append("</h2>\n");
    html.append("<p class='note'>").append(Html.escape(group.meaning())).append("</p>\n");
    ChartSection.grid(html, figures());
    table(html);
  }

  @Override
  public List<ChartFigure> figures() {
    List<ChartFigure> figures = new ArrayList<>();
    if (group.charted()) {
      for (String reference : references) {
        for (Shown figure : shown) {
          ForestChart chart = chart(figure, reference);
          if (figure.isCompared() && !chart.isEmpty()) {
            String title = figure.task() + " / " + reference + "\u2019s";
            figures.add(
                new ChartFigure(
                    group.title(),
                    title,
                    chart.svg(Html.escape(title)),
                    figure.better().direction(),
                    chart.data()));
          }
        }
      }
    }
    return figures;
  }

  private ForestChart chart(Shown figure, String reference) {
    ForestChart chart = new ForestChart(noise(figure, reference));
    for (String directory : results.directories()) {
      results
          .ratio(directory, reference, figure.task())
          .ifPresent(r -> chart.add(directory, r.ratio(), r.interval95(), r.verdict(), false));
    }
    return chart;
  }

  /** The interval of the reference to itself; null without such a column. */
  private @Nullable Interval noise(Shown figure, String reference) {
    return results
        .ratio(reference + AGAIN, reference, figure.task())
        .map(Ratio::interval95)
        .orElse(null);
  }

  private void table(StringBuilder html) {
    html.append("<div class='scroll'><table><tr><th>directory</th>");
    for (Shown figure : shown) {
      html.append("<th>").append(Html.escape(figure.heading())).append("<small>");
      html.append(Html.escape(figure.unit())).append("</small></th>");
    }
    html.append("</tr>\n");
    for (String directory : results.directories()) {
      html.append("<tr><td>").append(Html.escape(directory)).append("</td>");
      shown.forEach(figure -> cell(html, directory, figure));
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
  }

  private void cell(StringBuilder html, String directory, Shown figure) {
    Optional<Result> result = results.result(directory, figure.task());
    Optional<Ratio> first =
        references.stream()
            .findFirst()
            .flatMap(reference -> results.ratio(directory, reference, figure.task()));
    html.append("<td class='").append(first.map(Ratio::verdict).orElse("same")).append("'>");
    html.append(result.map(r -> Numbers.rate(r.median())).orElse("-"));
    result
        .map(r -> Numbers.plusMinusPercent(r.median(), r.interval95()))
        .ifPresent(width -> html.append(' ').append(width));
    for (String reference : references) {
      results
          .ratio(directory, reference, figure.task())
          .ifPresent(
              r -> {
                html.append("<small>").append(Numbers.ratio(r.ratio())).append(" (");
                html.append(Numbers.range(r.interval95())).append(')');
                html.append(references.size() > 1 ? " of " + Html.escape(reference) : "");
                html.append("</small>");
              });
    }
    html.append("</td>");
  }
}
