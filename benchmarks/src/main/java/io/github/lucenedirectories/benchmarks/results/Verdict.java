// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Presentation.FigureGroup;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a run: one line for each directory, or the reason why there is none and what to do.
 * It rests on the control: the baseline, measured a second time as if it were another directory.
 *
 * @param trusted whether there is an answer; if not, no table is shown
 */
public record Verdict(boolean trusted, List<String> sentences) {
  /** Directories whose interval reaches no further from 1 are equal for all purposes. */
  private static final double EQUAL = 0.03;

  /** A control that is off by less is not held against a run. */
  private static final double SMALL = 0.01;

  /** An interval around 1 that reaches further does not tell whether directories are equal. */
  private static final double CLOSE = 0.05;

  /** A control whose interval reaches further hides all but very large differences. */
  private static final double MOST_REACH = 0.25;

  /** How rarely equal directories differ in so many figures of the control. */
  private static final double RARE = 0.01;

  private static final double ERROR = 0.05;
  private static final int MOST_GROUPS = 4;

  public Verdict {
    sentences = List.copyOf(sentences);
  }

  public String text() {
    return String.join(" ", sentences);
  }

  public static Verdict of(Results results) {
    List<Ratio> leading = leading(results);
    if (leading.isEmpty()) {
      return new Verdict(true, List.of("Nothing was compared."));
    }
    if (results.forks() < 2) {
      return new Verdict(true, List.of("One JVM of each directory: ratios have no interval."));
    }
    String reason = reason(results, leading);
    if (reason != null) {
      return none(reason, results);
    }
    return new Verdict(true, leading.stream().map(Verdict::line).toList());
  }

  /**
   * The means over kinds of query, to the baseline and of pairs; without them the first compared
   * figure of each group.
   */
  private static List<Ratio> leading(Results results) {
    String baseline = results.page().baseline();
    if (!results.means().isEmpty()) {
      List<String> others = results.page().references();
      return results.means().stream()
          .filter(m -> m.baseline().equals(baseline) || !others.contains(m.baseline()))
          .toList();
    }
    return results.page().groups().stream()
        .filter(FigureGroup::onTerminal)
        .flatMap(group -> group.compared().limit(1))
        .map(Shown::task)
        .map(task -> ratios(results, baseline).filter(r -> r.task().equals(task)).toList())
        .filter(ratios -> !ratios.isEmpty())
        .limit(MOST_GROUPS)
        .flatMap(List::stream)
        .toList();
  }

  private static Stream<Ratio> ratios(Results results, String baseline) {
    return results.ratios().stream().filter(r -> r.baseline().equals(baseline));
  }

  /** Why the run has no answer; null if it has one. */
  private static @Nullable String reason(Results results, List<Ratio> leading) {
    String baseline = results.page().baseline();
    Optional<Ratio> control =
        leading.stream()
            .filter(r -> r.directory().equals(results.page().control()))
            .filter(r -> r.baseline().equals(baseline))
            .findFirst();
    if (control.isPresent()) {
      Ratio again = control.get();
      Interval interval = again.interval95();
      if (interval == null || interval.reach() > MOST_REACH) {
        return "the interval of " + baseline + " against itself is too wide" + range(interval);
      }
      if (!interval.contains(1) && Math.abs(again.ratio() - 1) > SMALL) {
        return "the interval of "
            + baseline
            + " against itself does not hold 1.00"
            + range(interval);
      }
      List<Ratio> controls =
          ratios(results, baseline).filter(r -> r.directory().equals(again.directory())).toList();
      int differ = (int) controls.stream().filter(r -> !r.verdict().equals("same")).count();
      if (BinomialTest.withDefaults()
          .with(AlternativeHypothesis.GREATER_THAN)
          .test(controls.size(), differ, ERROR)
          .reject(RARE)) {
        return Numbers.text(
            "%s differs from itself in %d of %d figures", baseline, differ, controls.size());
      }
    }
    List<Ratio> others =
        leading.stream().filter(r -> !r.directory().equals(results.page().control())).toList();
    return !others.isEmpty() && others.stream().noneMatch(Verdict::isKnown)
        ? "the intervals of all directories are too wide"
        : null;
  }

  private static String range(@Nullable Interval interval) {
    return interval == null ? "" : " (" + Numbers.range(interval) + ")";
  }

  private static Verdict none(String reason, Results results) {
    List<String> sentences = new ArrayList<>();
    sentences.add("No answer: " + reason + ".");
    sentences.add(
        Numbers.text(
            "Run it again%s with --forks %d, and end other programs if you can.",
            Boolean.TRUE.equals(results.environment().get("quick")) ? " without --quick" : "",
            Math.max(10, 2 * results.forks())));
    return new Verdict(false, sentences);
  }

  private static boolean isKnown(Ratio ratio) {
    Interval interval = ratio.interval95();
    return interval != null && (!interval.contains(1) || interval.reach() <= CLOSE);
  }

  /** As {@code RamDirectory / MMapDirectory: 1.02 (1.01 to 1.03), faster}. */
  private static String line(Ratio ratio) {
    Interval interval = ratio.interval95();
    String found;
    if (!isKnown(ratio) || interval == null) {
      found = "not known";
    } else if (interval.contains(1) || interval.reach() <= EQUAL) {
      found = "equal within " + (int) Math.ceil(interval.reach() * 100 - 1e-9) + " %";
    } else {
      found = ratio.verdict();
    }
    return Numbers.text(
        "%s%s / %s: %s%s, %s.",
        ratio.task().isEmpty() ? "" : ratio.task() + " of ",
        ratio.directory(),
        ratio.baseline(),
        Numbers.ratio(ratio.ratio()),
        range(interval),
        found);
  }
}
