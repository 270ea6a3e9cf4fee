// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Presentation.FigureGroup;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.results.Results.Table;
import io.github.lucenedirectories.benchmarks.results.Verdict;
import io.github.lucenedirectories.tools.console.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Several runs of one command as results of their own: a run takes the place of a directory, and
 * the figures of each directory are a group. So all that shows a run shows a comparison of runs.
 */
public final class Comparison {
  private static final long SEED = 42;
  private static final String ABSENT = "-";

  private final Map<String, Results> runs;
  private final String first;
  private final List<String> directories;

  private Comparison(Map<String, Results> runs) {
    this.runs = runs;
    this.first = runs.keySet().iterator().next();
    this.directories =
        runs.values().stream()
            .flatMap(run -> run.directories().stream())
            .distinct()
            .filter(
                d -> runs.values().stream().filter(r -> r.directories().contains(d)).count() > 1)
            .toList();
  }

  /** The comparison of later runs with the first. Refuses runs of different commands. */
  public static Results of(Map<String, Results> runs) {
    Set<String> commands =
        runs.values().stream().map(Results::workload).collect(Collectors.toSet());
    if (commands.size() > 1) {
      throw new UsageException(
          "these are runs of different commands, which have no figures in common: "
              + String.join(", ", commands));
    }
    return new Comparison(new LinkedHashMap<>(runs)).compared();
  }

  private static String named(String directory, String task) {
    return directory + ": " + task;
  }

  private Results compared() {
    List<Result> results = new ArrayList<>();
    List<String> verdicts = new ArrayList<>();
    runs.forEach(
        (name, run) -> {
          run.results().stream()
              .filter(r -> directories.contains(r.directory()))
              .forEach(r -> results.add(r.of(name, named(r.directory(), r.task()))));
          if (run.verdict() != null) {
            verdicts.add(name + ": " + run.verdict().text());
          }
        });
    List<List<String>> differences = differences();
    List<String> header = Stream.concat(Stream.of("fact"), runs.keySet().stream()).toList();
    List<Ratio> ratios = new ArrayList<>();
    List<FigureGroup> groups = groups(ratios);
    return new Results(Map.of(), results, ratios, List.of(), List.of())
        .withTables(
            List.of(new Table("What differs", "All else is the same.", header, differences)))
        .withVerdict(new Verdict(true, verdicts))
        .shown(
            new Presentation(
                String.join(" and ", runs.keySet()) + ": " + firstRun().workload(),
                List.of(
                    "Ratios are of medians over JVMs, of a later run to "
                        + first
                        + ". The 95 % interval comes from resampling the JVMs of each run for"
                        + " itself: it holds what they differ by within the runs, and not what the"
                        + " machine differed by between them. How far a directory that did not"
                        + " change lies from 1.00 shows that."),
                List.of(first),
                groups));
  }

  private Results firstRun() {
    return Objects.requireNonNull(runs.get(first));
  }

  /** The groups of the first run, for each directory; adds the ratios of their figures. */
  private List<FigureGroup> groups(List<Ratio> ratios) {
    List<FigureGroup> groups = new ArrayList<>();
    for (FigureGroup group : firstRun().page().groups()) {
      for (String directory : directories) {
        List<Shown> figures = new ArrayList<>();
        for (Shown figure : group.figures()) {
          String heading = (figure.heading() + " " + figure.unit()).strip();
          String task = named(directory, figure.task());
          figures.add(new Shown(task, heading, figure.unit(), figure.better()));
          if (figure.isCompared()) {
            runs.keySet().stream()
                .skip(1)
                .forEach(run -> ratio(run, directory, figure).ifPresent(ratios::add));
          }
        }
        String title = group.title() + ": " + directory;
        groups.add(new FigureGroup(title, group.meaning(), group.onTerminal(), true, figures));
      }
    }
    return groups;
  }

  private Optional<Ratio> ratio(String run, String directory, Shown figure) {
    double[] above = samples(run, directory, figure.task());
    double[] below = samples(first, directory, figure.task());
    if (above.length == 0 || below.length == 0) {
      return Optional.empty();
    }
    Estimate ratio = ForkStatistics.ofTwoRuns(above, below, SEED);
    String task = named(directory, figure.task());
    return Optional.of(Ratio.of("report", run, first, task, ratio, figure.better()));
  }

  /** Empty where it was not measured, or is not positive everywhere. */
  private double[] samples(String run, String directory, String task) {
    List<Double> samples =
        Objects.requireNonNull(runs.get(run))
            .result(directory, task)
            .map(Result::samples)
            .orElse(List.of());
    return samples.stream().allMatch(sample -> sample > 0)
        ? samples.stream().mapToDouble(Double::doubleValue).toArray()
        : new double[0];
  }

  /** The name of each fact that differs, with its value in each run. */
  private List<List<String>> differences() {
    List<Map<String, String>> facts = runs.values().stream().map(Results::facts).toList();
    Set<String> names = new LinkedHashSet<>();
    facts.forEach(each -> names.addAll(each.keySet()));
    List<List<String>> rows = new ArrayList<>();
    for (String name : names) {
      List<String> values = facts.stream().map(f -> f.getOrDefault(name, ABSENT)).toList();
      if (values.stream().distinct().count() > 1) {
        rows.add(Stream.concat(Stream.of(name), values.stream()).toList());
      }
    }
    return rows;
  }
}
