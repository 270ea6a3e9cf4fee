package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
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
import java.util.stream.Stream;

/**
 * How results are shown that do not say it themselves, since they are older than that: percentiles
 * of one latency together, operations in a table, other figures each for itself.
 */
final class OldResults {
  /** The place of a figure: that of a percentile, of one of many operations, or its own. */
  private record Part(String group, String heading) {
    private static final String RATES = "Queries per second";
    private static final String BY_OPERATION = " by operation";
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

    boolean isRate() {
      return group.equals(RATES);
    }

    boolean isCharted() {
      return !group.endsWith(BY_OPERATION);
    }
  }

  private OldResults() {}

  /** How results are shown: as they say, as far as they say it, else guessed. */
  static Presentation presentation(Results results) {
    Presentation page = results.page();
    Set<String> known =
        page == null
            ? Set.of()
            : page.groups().stream()
                .flatMap(group -> group.figures().stream())
                .map(Shown::task)
                .collect(Collectors.toSet());
    Map<String, Group> groups = new LinkedHashMap<>();
    for (Result result : results.results()) {
      Part part = part(results, result);
      Shown shown =
          new Shown(result.task(), part.heading(), result.unit(), better(results, result.task()));
      if (!known.contains(result.task()) && Coverage.comparison(result.task()) == 0) {
        groups.merge(
            part.group(),
            new Group(part.group(), "", part.isCharted(), part.isRate(), List.of(shown)),
            OldResults::joined);
      }
    }
    List<Group> all = new ArrayList<>(groups.values());
    if (page != null) {
      all.addAll(page.groups());
    }
    return page == null
        ? new Presentation("Results of " + results.workload(), List.of(), references(results), all)
        : new Presentation(page.title(), page.notes(), page.references(), all);
  }

  private static Group joined(Group group, Group more) {
    return new Group(
        group.title(),
        "",
        group.charted(),
        group.summed(),
        Stream.concat(group.figures().stream(), more.figures().stream()).distinct().toList());
  }

  private static List<String> references(Results results) {
    return results.ratios().stream().map(Ratio::baseline).distinct().toList();
  }

  private static Part part(Results results, Result result) {
    boolean rate =
        result.unit().equals("queries/s")
            && results.means().stream()
                .anyMatch(
                    m -> results.ratio(m.directory(), m.baseline(), result.task()).isPresent());
    return rate ? new Part(Part.RATES, result.task()) : Part.of(result.task());
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
