package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.report.ForestChart;
import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.report.Results;
import io.github.lucenedirectories.benchmarks.report.Results.Ratio;
import io.github.lucenedirectories.benchmarks.report.Results.Result;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A group's part of the page: what it means, a chart of ratios for each measure, and a table. */
public final class MeasureSection implements HtmlSection {
  private static final String AGAIN = " (again)";

  private final Results results;
  private final MeasureGroup group;
  private final List<Measure> measures;
  private final List<String> references;

  /**
   * @param references labels of what every column is compared with, the baseline first
   */
  public MeasureSection(Results results, MeasureGroup group, List<String> references) {
    this.results = results;
    this.group = group;
    this.measures =
        group.measures().stream().filter(m -> results.tasks().contains(m.task())).toList();
    this.references = references.stream().filter(results.directories()::contains).toList();
  }

  @Override
  public void write(StringBuilder html) {
    if (measures.isEmpty()) {
      return;
    }
    html.append("<h2>").append(Html.escape(group.title())).append("</h2>\n");
    html.append("<p class='note'>").append(Html.escape(group.meaning())).append("</p>\n");
    if (group.place() == Place.EVERYWHERE) {
      charts(html);
    }
    table(html);
  }

  private void charts(StringBuilder html) {
    html.append("<div class='charts'>\n");
    for (String reference : references) {
      for (Measure measure : measures) {
        if (measure.isCompared()) {
          chart(html, measure, reference);
        }
      }
    }
    html.append("</div>\n");
  }

  private void chart(StringBuilder html, Measure measure, String reference) {
    ForestChart chart = new ForestChart(noise(measure, reference));
    for (String directory : results.directories()) {
      results
          .ratio(directory, reference, measure.task())
          .ifPresent(r -> chart.add(directory, r.ratio(), r.interval95(), r.verdict(), false));
    }
    String heading = Html.escape(measure.task() + " / " + reference + "\u2019s");
    html.append("<figure><h3>").append(heading).append("</h3>").append(chart.svg(heading));
    html.append("<figcaption>").append(direction(measure)).append("</figcaption></figure>\n");
  }

  private static String direction(Measure measure) {
    return measure.better() == Measure.Better.HIGHER ? "right is better" : "left is better";
  }

  /** The interval of the reference to itself; null without such a column. */
  private @Nullable Interval noise(Measure measure, String reference) {
    return results
        .ratio(reference + AGAIN, reference, measure.task())
        .map(Ratio::interval95)
        .orElse(null);
  }

  private void table(StringBuilder html) {
    html.append("<div class='scroll'><table><tr><th>directory</th>");
    for (Measure measure : measures) {
      html.append("<th>").append(Html.escape(measure.heading())).append("<small>");
      html.append(Html.escape(measure.unit())).append("</small></th>");
    }
    html.append("</tr>\n");
    for (String directory : results.directories()) {
      html.append("<tr><td>").append(Html.escape(directory)).append("</td>");
      measures.forEach(measure -> cell(html, directory, measure));
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
  }

  private void cell(StringBuilder html, String directory, Measure measure) {
    Optional<Result> result = results.result(directory, measure.task());
    Optional<Ratio> ratio = results.ratio(directory, references.get(0), measure.task());
    html.append("<td class='").append(ratio.map(Ratio::verdict).orElse("same")).append("'>");
    html.append(result.map(r -> Numbers.rate(r.median())).orElse("-"));
    result
        .map(r -> Numbers.plusMinusPercent(r.median(), r.interval95()))
        .ifPresent(width -> html.append(' ').append(width));
    for (String reference : references) {
      results
          .ratio(directory, reference, measure.task())
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
