package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.HtmlPage;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of several runs of one command, side by side. */
final class RunsPage {
  private static final String RATES = "Queries per second";

  private final List<Run> runs;
  private final Differences differences;
  private final List<HtmlSection> sections = new ArrayList<>();

  /** Draws the runs, the first of which the others are compared with. */
  RunsPage(List<Run> runs) {
    this.runs = List.copyOf(runs);
    this.differences = new Differences(runs);
    sections.add(differences);
    List<String> directories = directories();
    Presentation presentation = runs.get(0).results().presentation();
    List<Shown> rates = rates(presentation);
    if (!rates.isEmpty()) {
      sections.add(new RunRatios(runs, new Group(RATES, "", true, true, rates), directories, true));
    }
    Map<String, Results> named = new LinkedHashMap<>();
    runs.forEach(run -> named.put(run.name(), run.results()));
    sections.addAll(CurveSections.of(named, directories).sections());
    for (Group group : presentation.groups()) {
      Group both = new Group(group.title(), group.meaning(), group.charted(), group.summed(), common(group));
      if (!both.figures().isEmpty()) {
        sections.add(new RunRatios(runs, both, directories, false));
      }
    }
  }

  /** Those that the first run has, and another one. */
  private List<String> directories() {
    return runs.get(0).results().directories().stream()
        .filter(d -> others().anyMatch(r -> r.directories().contains(d)))
        .toList();
  }

  private Stream<Results> others() {
    return runs.stream().skip(1).map(Run::results);
  }

  private List<Shown> common(Group group) {
    return group.figures().stream()
        .filter(f -> runs.get(0).results().tasks().contains(f.task()))
        .filter(f -> others().anyMatch(r -> r.tasks().contains(f.task())))
        .toList();
  }

  /** The kinds of queries, which belong to no group. */
  private List<Shown> rates(Presentation presentation) {
    Set<String> grouped =
        presentation.groups().stream()
            .flatMap(group -> group.figures().stream())
            .map(Shown::task)
            .collect(Collectors.toSet());
    List<Shown> rates =
        runs.get(0).results().results().stream()
            .filter(result -> !grouped.contains(result.task()))
            .map(RunsPage::rate)
            .distinct()
            .toList();
    return common(new Group("", "", true, true, rates));
  }

  private static Shown rate(Result result) {
    return new Shown(result.task(), result.task(), result.unit(), Better.HIGHER);
  }

  /** What makes the runs hard to compare, in one line; empty if nothing does. */
  String warning() {
    return differences.settings();
  }

  /** All charts. */
  List<ChartFigure> figures() {
    return sections.stream().flatMap(section -> section.figures().stream()).toList();
  }

  /** Writes the page. */
  void write(Path file) throws IOException {
    List<String> notes = new ArrayList<>();
    for (Run run : runs) {
      notes.add(
          run.name()
              + ": "
              + run.place()
              + ", commit "
              + run.facts().getOrDefault("commit", "unknown")
              + ".");
    }
    notes.add(
        "Ratios are of medians over JVMs, of a later run to "
            + runs.get(0).name()
            + ". The 95 % interval comes from resampling the JVMs of each run for itself: it holds"
            + " what they differ by within the runs, and not what the machine differed by between"
            + " them. A directory that did not change tells that by how far it lies from 1.00;"
            + " below a figure is its ratio to the baseline of its own run.");
    String title =
        runs.stream().map(Run::name).collect(Collectors.joining(" and "))
            + ": "
            + runs.get(0).results().workload();
    new HtmlPage(title, notes, sections, Map.of()).write(file);
  }
}
