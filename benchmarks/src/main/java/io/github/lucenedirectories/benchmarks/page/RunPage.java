package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.HtmlPage;
import io.github.lucenedirectories.benchmarks.report.HtmlReport;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The page of one run, drawn from its results alone. */
public final class RunPage {
  private final Results results;
  private final Presentation presentation;
  private final List<HtmlSection> sections = new ArrayList<>();

  /** The page of some results. */
  public RunPage(Results results) {
    this.results = results;
    this.presentation = PresentationGuess.of(results);
    if (results.advice() != null) {
      sections.add(new AdviceSection(results.advice()));
    }
    CoverageSection coverage = new CoverageSection(results);
    if (!coverage.isEmpty()) {
      sections.add(coverage);
    }
    if (!results.means().isEmpty() && !rates().results().isEmpty()) {
      sections.addAll(new HtmlReport(rates(), "", List.of()).sections());
    }
    sections.addAll(CurveSections.of(results).sections());
    for (Group group : presentation.groups()) {
      sections.add(new GroupSection(results, group, presentation.references()));
    }
  }

  /** What the means are made of: the rates of all kinds. */
  private Results rates() {
    Set<String> pairs =
        results.means().stream()
            .map(mean -> mean.directory() + "\n" + mean.baseline())
            .collect(Collectors.toSet());
    Set<String> grouped =
        presentation.groups().stream()
            .flatMap(group -> group.figures().stream())
            .map(Presentation.Shown::task)
            .collect(Collectors.toSet());
    List<Ratio> ratios =
        results.ratios().stream()
            .filter(r -> pairs.contains(r.directory() + "\n" + r.baseline()))
            .filter(r -> !grouped.contains(r.task()))
            .toList();
    return new Results(
        results.environment(),
        results.results().stream().filter(r -> !grouped.contains(r.task())).toList(),
        ratios,
        results.means(),
        results.skipped());
  }

  /** All its charts. */
  public List<ChartFigure> figures() {
    return sections.stream().flatMap(section -> section.figures().stream()).toList();
  }

  /** Writes the page. */
  public void write(Path file) throws IOException {
    new HtmlPage(presentation.title(), presentation.notes(), sections, results.environment())
        .write(file);
  }
}
