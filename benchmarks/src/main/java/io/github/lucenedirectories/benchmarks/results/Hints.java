// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What weakens a run's figures, and what would improve the next run. */
public final class Hints {
  /** Speeds that rise by more were measured before the JVMs were warm. */
  private static final double RISE = 0.03;

  /** Smaller noise is what one expects. */
  private static final double NOISE = 0.02;

  private Hints() {}

  public static List<String> of(Results results) {
    List<String> hints = new ArrayList<>();
    Presentation page = results.page();
    String baseline = page.baseline();
    String control = page.control();
    if (!results.ratios().isEmpty() && !results.directories().contains(control)) {
      hints.add(
          "No directory was measured twice, so that this run cannot say how noisy the machine was.");
    }
    results
        .mean(control, baseline)
        .map(Mean::interval95)
        .map(Verdict::reach)
        .filter(reach -> reach > NOISE && results.isTrusted())
        .ifPresent(
            reach ->
                hints.add(
                    Numbers.text(
                        "%s against itself reached %.0f %%: smaller differences of a mean cannot be"
                            + " seen in this run. More JVMs make it smaller (--forks).",
                        baseline, reach * 100)));
    Set<String> kinds =
        page.groups().stream()
            .filter(Group::summed)
            .flatMap(Group::compared)
            .map(Shown::task)
            .collect(Collectors.toSet());
    int forks = results.forks();
    int needed = ForkStatistics.roundsForCorrection(Math.max(1, kinds.size()));
    if (kinds.size() > 1 && forks < needed && results.isTrusted()) {
      hints.add(
          Numbers.text(
              "Each kind is judged for itself: of %d, one in twenty is coloured by chance. It takes"
                  + " --forks %d to judge all at once.",
              kinds.size(), needed));
    }
    double rise = rise(results, kinds);
    if (rise > RISE) {
      hints.add(
          Numbers.text(
              "Speeds still rose by %s while they were measured: the JVMs were not warm yet (longer:"
                  + " --warmup).",
              Numbers.percent(rise)));
    }
    Map<String, List<String>> skipped = new LinkedHashMap<>();
    for (Results.Skipped entry : results.skipped()) {
      skipped
          .computeIfAbsent(entry.reason(), reason -> new ArrayList<>())
          .add(entry.lines() == 0 ? entry.task() : entry.task() + " (" + entry.lines() + ")");
    }
    skipped.forEach(
        (reason, names) ->
            hints.add("Not run: " + String.join(", ", names) + ", because " + reason + "."));
    return hints;
  }

  /**
   * By what share speeds rose from the first third of a fork's repetitions to the last: the median
   * over all forks and kinds.
   */
  private static double rise(Results results, Set<String> kinds) {
    List<Double> rises =
        results.results().stream()
            .filter(result -> kinds.contains(result.task()))
            .map(Result::repetitions)
            .flatMap(List::stream)
            .filter(repetitions -> repetitions.size() > 1)
            .map(Hints::ratio)
            .toList();
    return rises.isEmpty() ? 0 : Medians.of(rises) - 1;
  }

  private static double ratio(List<Double> repetitions) {
    int third = Math.max(1, repetitions.size() / 3);
    List<Double> last = repetitions.subList(repetitions.size() - third, repetitions.size());
    return Medians.of(last) / Medians.of(repetitions.subList(0, third));
  }
}
