package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page of a comparison of rates over many kinds: a chart for each pair of directories, and the
 * figures as a table.
 */
public final class HtmlReport {
  private final Results results;
  private final String title;
  private final List<String> notes;
  private final String baseline;
  private final List<String> directories;
  private final List<String> tasks;

  /**
   * @param notes what was measured and how, a paragraph each
   */
  public HtmlReport(Results results, String title, List<String> notes) {
    this.results = results;
    this.title = title;
    this.notes = List.copyOf(notes);
    this.baseline = results.results().get(0).directory();
    this.directories = results.directories();
    this.tasks = results.tasks();
  }

  /** Writes the page. */
  public void write(Path file) throws IOException {
    new HtmlPage(title, notes, sections(), results.environment()).write(file);
  }

  /** The page's parts, for a page that has others too. */
  public List<HtmlSection> sections() {
    return List.of(charts(), this::means, this::figures, this::skipped);
  }

  private ChartSection charts() {
    String heading = "Ratios";
    List<ChartFigure> figures = new ArrayList<>();
    for (Mean mean : results.means()) {
      ForestChart chart = new ForestChart(noise());
      chart.add(
          "geometric mean", mean.ratio(), mean.interval95(), verdict(mean.interval95()), true);
      for (Ratio ratio : ratios(mean.directory(), mean.baseline())) {
        chart.add(ratio.task(), ratio.ratio(), ratio.interval95(), ratio.verdict(), false);
      }
      String pair = mean.directory() + " / " + mean.baseline();
      figures.add(
          new ChartFigure(
              heading, pair, chart.svg(Html.escape(pair)), "right is faster", chart.data()));
    }
    return new ChartSection(
        heading,
        "A dot is a ratio of speeds: right of 1.00 the first directory is faster. The bar is its"
            + " 95 % interval; blue (faster) or orange (slower) where 1.00 lies outside. The shaded"
            + " band is where the baseline came to lie against itself, over all kinds.",
        figures);
  }

  /** From the lowest to the highest ratio of the baseline to itself; null without such a run. */
  private @Nullable Interval noise() {
    List<Ratio> again =
        results.ratios().stream()
            .filter(r -> r.directory().startsWith(baseline + " (") && r.baseline().equals(baseline))
            .toList();
    return again.isEmpty()
        ? null
        : new Interval(
            again.stream().mapToDouble(Ratio::ratio).min().orElse(1),
            again.stream().mapToDouble(Ratio::ratio).max().orElse(1));
  }

  private static String verdict(@Nullable Interval interval) {
    if (interval == null || interval.contains(1)) {
      return "same";
    }
    return interval.low() > 1 ? "faster" : "slower";
  }

  private List<Ratio> ratios(String directory, String other) {
    return results.ratios().stream()
        .filter(r -> r.directory().equals(directory) && r.baseline().equals(other))
        .toList();
  }

  private void means(StringBuilder html) {
    html.append("<h2>Geometric means</h2>\n<div class='scroll'><table><tr><th>pair</th>");
    html.append("<th>ratio</th><th>95 % interval</th><th>faster</th><th>slower</th>");
    html.append("<th>lowest</th><th>widest half-width</th></tr>\n");
    for (Mean mean : results.means()) {
      cells(
          html,
          "td",
          List.of(
              mean.directory() + " / " + mean.baseline(),
              Numbers.fineRatio(mean.ratio()),
              Numbers.fineRange(mean.interval95()),
              mean.faster() + " of " + mean.tasks(),
              mean.slower() + " of " + mean.tasks(),
              mean.lowestTask() + " " + Numbers.ratio(mean.lowestRatio()),
              mean.widestHalfWidth() == null ? "" : Numbers.percent(mean.widestHalfWidth())));
    }
    html.append("</table></div>\n");
  }

  private static void cells(StringBuilder html, String tag, List<String> cells) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append('<').append(tag).append('>').append(Html.escape(cell));
      html.append("</").append(tag).append('>');
    }
    html.append("</tr>\n");
  }

  private void figures(StringBuilder html) {
    html.append("<h2>Figures</h2>\n<p class='note'>Queries per second, median over forks; below ");
    html.append("it the ratio to ").append(Html.escape(baseline));
    html.append(" with its 95 % interval.</p>\n<div class='scroll'><table><tr><th>kind</th>");
    directories.forEach(d -> html.append("<th>").append(Html.escape(d)).append("</th>"));
    html.append("</tr>\n");
    for (String task : tasks) {
      html.append("<tr><td>").append(Html.escape(task)).append("</td>");
      directories.forEach(directory -> figure(html, directory, task));
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
  }

  private void figure(StringBuilder html, String directory, String task) {
    Result result = results.result(directory, task).orElseThrow();
    Ratio ratio = results.ratio(directory, baseline, task).orElse(null);
    String style = ratio == null ? "same" : ratio.verdict();
    html.append("<td class='").append(style).append("'>").append(Numbers.rate(result.median()));
    if (ratio != null) {
      html.append("<small>").append(Numbers.ratio(ratio.ratio())).append(" (");
      html.append(Numbers.range(ratio.interval95())).append(")</small>");
    }
    html.append("</td>");
  }

  private void skipped(StringBuilder html) {
    if (results.skipped().isEmpty()) {
      return;
    }
    html.append("<h2>Not run</h2>\n<ul>");
    for (Results.Skipped skipped : results.skipped()) {
      html.append("<li>").append(Html.escape(skipped.toString())).append("</li>\n");
    }
    html.append("</ul>\n");
  }
}
