package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.ChartSection;
import io.github.lucenedirectories.benchmarks.report.ForestChart;
import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.Estimate.Verdict;
import io.github.lucenedirectories.benchmarks.results.IndependentRatio;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A group of figures of several runs next to each other, directory by directory, with the ratios of
 * the later runs to the first.
 */
final class RunRatios implements HtmlSection {
  private static final long SEED = 42;

  private final List<Run> runs;
  private final Group group;
  private final List<String> directories;
  private final boolean byDirectory;
  private final Map<Compared, Optional<Estimate>> ratios = new LinkedHashMap<>();

  private record Compared(String run, String directory, String task) {}

  /**
   * @param directories that several runs have
   * @param byDirectory whether a chart has a row for each figure of a directory, and not one for
   *     each directory's figure
   */
  RunRatios(List<Run> runs, Group group, List<String> directories, boolean byDirectory) {
    this.runs = List.copyOf(runs);
    this.group = group;
    this.directories = List.copyOf(directories);
    this.byDirectory = byDirectory;
  }

  private Optional<Estimate> ratio(Run run, String directory, Shown figure) {
    return ratios.computeIfAbsent(
        new Compared(run.name(), directory, figure.task()),
        c -> {
          double[] above = samples(run, directory, figure);
          double[] below = samples(runs.get(0), directory, figure);
          return above.length == 0 || below.length == 0
              ? Optional.empty()
              : Optional.of(IndependentRatio.of(above, below, SEED));
        });
  }

  /** Empty where it was not measured, or is not positive everywhere. */
  private static double[] samples(Run run, String directory, Shown figure) {
    List<Double> samples =
        run.results().result(directory, figure.task()).map(Result::samples).orElse(List.of());
    return samples.stream().allMatch(sample -> sample > 0)
        ? samples.stream().mapToDouble(Double::doubleValue).toArray()
        : new double[0];
  }

  private static String verdict(Shown figure, Estimate ratio) {
    Verdict verdict = ratio.verdict();
    return (figure.better() == Better.LOWER ? verdict.opposite() : verdict)
        .name()
        .toLowerCase(Locale.ROOT);
  }

  @Override
  public List<ChartFigure> figures() {
    List<ChartFigure> figures = new ArrayList<>();
    if (!group.charted()) {
      return figures;
    }
    List<Shown> compared = group.figures().stream().filter(Shown::isCompared).toList();
    for (Run run : runs.subList(1, runs.size())) {
      String ofRuns = run.letter() + " / " + runs.get(0).letter();
      if (byDirectory) {
        for (String directory : directories) {
          ForestChart chart = new ForestChart(null);
          compared.forEach(figure -> add(chart, figure.heading(), run, directory, figure));
          add(figures, directory + ": " + ofRuns, chart, Better.HIGHER);
        }
      } else {
        for (Shown figure : compared) {
          ForestChart chart = new ForestChart(null);
          directories.forEach(directory -> add(chart, directory, run, directory, figure));
          add(figures, figure.task() + ": " + ofRuns, chart, figure.better());
        }
      }
    }
    return figures;
  }

  private void add(ForestChart chart, String label, Run run, String directory, Shown figure) {
    ratio(run, directory, figure)
        .ifPresent(r -> chart.add(label, r.value(), r.interval95(), verdict(figure, r), false));
  }

  private void add(List<ChartFigure> figures, String title, ForestChart chart, Better better) {
    if (!chart.isEmpty()) {
      figures.add(
          new ChartFigure(
              group.title(),
              title,
              chart.svg(Html.escape(title)),
              better.direction(),
              chart.data()));
    }
  }

  @Override
  public void write(StringBuilder html) {
    html.append("<h2>").append(Html.escape(group.title())).append("</h2>\n<p class='note'>");
    html.append(Html.escape(group.meaning())).append("</p>\n");
    ChartSection.grid(html, figures());
    html.append("<div class='scroll'><table><tr><th>directory</th><th>figure</th>");
    runs.forEach(run -> html.append("<th>").append(Html.escape(run.name())).append("</th>"));
    for (Run run : runs.subList(1, runs.size())) {
      html.append("<th>").append(Html.escape(run.letter() + " / " + runs.get(0).letter()));
      html.append("</th>");
    }
    html.append("</tr>\n");
    for (String directory : directories) {
      group.figures().forEach(figure -> row(html, directory, figure));
    }
    html.append("</table></div>\n");
  }

  private static String ofBaseline(Ratio ratio) {
    return Html.escape(Numbers.ratio(ratio.ratio()) + " of " + ratio.baseline());
  }

  private void row(StringBuilder html, String directory, Shown figure) {
    html.append("<tr><td>").append(Html.escape(directory)).append("</td><td>");
    html.append(Html.escape(figure.heading() + " " + figure.unit())).append("</td>");
    for (Run run : runs) {
      Optional<Result> result = run.results().result(directory, figure.task());
      html.append("<td>").append(result.map(r -> Numbers.rate(r.median())).orElse("-"));
      result.ifPresent(
          r -> html.append(' ').append(Numbers.plusMinusPercent(r.median(), r.interval95())));
      run.results().ratios().stream()
          .filter(r -> r.directory().equals(directory) && r.task().equals(figure.task()))
          .findFirst()
          .ifPresent(r -> html.append("<small>").append(ofBaseline(r)).append("</small>"));
      html.append("</td>");
    }
    for (Run run : runs.subList(1, runs.size())) {
      Optional<Estimate> ratio =
          figure.isCompared() ? ratio(run, directory, figure) : Optional.empty();
      html.append("<td class='").append(ratio.map(r -> verdict(figure, r)).orElse("same"));
      html.append("'>").append(ratio.map(r -> Numbers.ratio(r.value())).orElse("-"));
      ratio.ifPresent(
          r -> html.append("<small>").append(Numbers.range(r.interval95())).append("</small>"));
      html.append("</td>");
    }
    html.append("</tr>\n");
  }
}
