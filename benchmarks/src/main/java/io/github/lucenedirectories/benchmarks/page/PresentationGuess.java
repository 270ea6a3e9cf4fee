package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Presentation.Better;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How results are shown that do not say it themselves, since they are older than that: percentiles
 * of one latency together, operations in a table, other figures each for itself.
 */
final class PresentationGuess {
  /** The place of a figure: that of a percentile, of one of many operations, or its own. */
  private record Part(String group, String heading) {
    static final String BY_OPERATION = " by operation";

    private static final Pattern PERCENTILE = Pattern.compile("(.*) (p\\d+(?:\\.\\d+)?)");
    private static final Pattern OPERATION = Pattern.compile("(.*), ([a-z]+)");

    static Part of(String task) {
      Matcher percentile = PERCENTILE.matcher(task);
      Matcher operation = OPERATION.matcher(task);
      if (percentile.matches()) {
        return new Part(percentile.group(1), percentile.group(2));
      }
      return operation.matches()
          ? new Part(operation.group(1) + BY_OPERATION, operation.group(2))
          : new Part(task, task);
    }
  }

  private PresentationGuess() {}

  static Presentation of(Results results) {
    if (results.page() != null) {
      return results.page();
    }
    Set<String> means =
        results.means().stream().map(PresentationGuess::pair).collect(Collectors.toSet());
    Set<String> rates =
        results.ratios().stream()
            .filter(r -> means.contains(r.directory() + "/" + r.baseline()))
            .map(Ratio::task)
            .filter(task -> isRate(results, task))
            .collect(Collectors.toSet());
    Map<String, List<Shown>> groups = new LinkedHashMap<>();
    for (Result result : results.results()) {
      Part part = Part.of(result.task());
      List<Shown> group = groups.computeIfAbsent(part.group(), t -> new ArrayList<>());
      Shown shown =
          new Shown(result.task(), part.heading(), result.unit(), better(results, result.task()));
      if (!rates.contains(result.task()) && !group.contains(shown)) {
        group.add(shown);
      }
    }
    return new Presentation(
        "Results of " + results.workload(),
        results.notRun(),
        results.ratios().stream().map(Ratio::baseline).distinct().toList(),
        groups.entrySet().stream()
            .filter(group -> !group.getValue().isEmpty())
            .map(
                group ->
                    new Group(
                        group.getKey(),
                        "",
                        !group.getKey().endsWith(Part.BY_OPERATION),
                        group.getValue()))
            .toList());
  }

  private static String pair(Mean mean) {
    return mean.directory() + "/" + mean.baseline();
  }

  private static boolean isRate(Results results, String task) {
    return results.results().stream()
        .anyMatch(r -> r.task().equals(task) && r.unit().equals("queries/s"));
  }

  /** What the verdicts show; without one, rates should be high and times low. */
  private static Better better(Results results, String task) {
    List<Ratio> ratios = results.ratios().stream().filter(r -> r.task().equals(task)).toList();
    if (ratios.isEmpty()) {
      return Better.NEITHER;
    }
    Optional<Ratio> sure = ratios.stream().filter(r -> !r.verdict().equals("same")).findFirst();
    boolean higher =
        sure.isPresent()
            ? sure.get().verdict().equals("faster") == sure.get().ratio() > 1
            : results.results().stream()
                .anyMatch(r -> r.task().equals(task) && r.unit().contains("/s"));
    return higher ? Better.HIGHER : Better.LOWER;
  }
}
