// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results.Compared;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;
import org.jspecify.annotations.Nullable;

/**
 * What a run says, in sentences for its user. It rests on the control: the baseline, measured a
 * second time as if it were another directory.
 *
 * @param trusted whether the control was quiet; if not, nothing is coloured or recommended
 */
public record Verdict(boolean trusted, List<String> sentences) {
  /** Closer directories are called equal, whatever their intervals. */
  private static final double EQUAL = 0.01;

  /** An interval around 1 that reaches further tells nothing. */
  private static final double CLOSE = 0.05;

  /** The same for one kind of query. */
  private static final double CLOSE_KIND = 0.10;

  /** A control whose interval reaches further hides all but very large differences. */
  private static final double MOST_REACH = 0.25;

  /** How rarely a quiet machine gives so many coloured figures in the control. */
  private static final double RARE = 0.01;

  private static final double ERROR = 0.05;
  private static final int MOST_GROUPS = 4;
  private static final int MOST_NAMES = 6;
  private static final int ENOUGH_FORKS = 10;

  public Verdict {
    sentences = List.copyOf(sentences);
  }

  public String text() {
    return String.join(" ", sentences);
  }

  public static Verdict of(Results results) {
    return new Judge(results).verdict();
  }

  /** How far an interval reaches from 1, as a share: 0.25 for 0.8 to 1.1. */
  static double reach(Interval interval) {
    return Math.max(interval.high(), 1 / interval.low()) - 1;
  }

  /**
   * A figure, or the mean of several, by which directories are compared.
   *
   * @param name in front of its sentences; empty if there is one such figure
   * @param figure null for a mean of rates
   */
  private record Subject(String name, @Nullable Shown figure, List<? extends Compared> found) {
    Optional<? extends Compared> of(String directory) {
      return found.stream().filter(f -> f.directory().equals(directory)).findFirst();
    }

    boolean isTime() {
      return figure != null
          && figure.better() == Better.LOWER
          && List.of("s", "ms", "µs", "us", "ns").contains(figure.unit());
    }

    String difference(Interval interval) {
      String range = Numbers.range(interval);
      if (isTime()) {
        return " takes " + range + " times as long";
      }
      return figure == null || figure.better() == Better.HIGHER
          ? " is " + range + " times as fast"
          : " needs " + range + " times as much";
    }
  }

  private static final class Judge {
    private final Results results;
    private final List<Group> groups;
    private final String baseline;
    private final String control;
    private final List<Subject> subjects;

    Judge(Results results) {
      this.results = results;
      groups = results.page().groups().stream().filter(Group::charted).toList();
      baseline = results.page().baseline();
      control = results.page().control();
      subjects = subjects();
    }

    /** The mean over kinds of query; else the first compared figure of each charted group. */
    private List<Subject> subjects() {
      List<Mean> means =
          results.means().stream().filter(m -> m.baseline().equals(baseline)).toList();
      if (!means.isEmpty()) {
        return List.of(new Subject("", null, means));
      }
      return groups.stream()
          .flatMap(group -> group.compared().limit(1))
          .map(
              figure ->
                  new Subject(
                      capitalized(figure.task()) + ": ", figure, ratios(figure.task()).toList()))
          .filter(subject -> !subject.found().isEmpty())
          .limit(MOST_GROUPS)
          .toList();
    }

    private Stream<Ratio> ratios() {
      return results.ratios().stream().filter(r -> r.baseline().equals(baseline));
    }

    private Stream<Ratio> ratios(String task) {
      return ratios().filter(r -> r.task().equals(task));
    }

    Verdict verdict() {
      if (subjects.isEmpty()) {
        return new Verdict(true, List.of("Nothing was compared."));
      }
      if (results.forks() < 2) {
        return new Verdict(
            false,
            List.of(
                "One JVM of each directory cannot tell a difference from noise.",
                "Measure again with --forks " + ENOUGH_FORKS + "."));
      }
      Optional<? extends Compared> lead = subjects.get(0).of(control);
      if (lead.isPresent() && isNoisy(lead.get())) {
        return noisy(lead.get());
      }
      List<String> sentences = new ArrayList<>();
      subjects.forEach(subject -> tell(subject, sentences));
      kinds(sentences);
      return new Verdict(true, sentences);
    }

    private boolean isNoisy(Compared lead) {
      if (isOff(lead)) {
        return true;
      }
      List<Ratio> controls =
          ratios().filter(r -> r.directory().equals(control) && r.interval95() != null).toList();
      int coloured = (int) controls.stream().filter(r -> !r.isOne()).count();
      return !controls.isEmpty()
          && BinomialTest.withDefaults()
              .with(AlternativeHypothesis.GREATER_THAN)
              .test(controls.size(), coloured, ERROR)
              .reject(RARE);
    }

    private Verdict noisy(Compared lead) {
      Interval interval = lead.interval95();
      String how;
      if (interval == null || (lead.isOne() && reach(interval) <= MOST_REACH)) {
        how = "differs from itself in more figures than chance explains";
      } else if (interval.isVague()) {
        how = "varied too much to be compared even with itself";
      } else {
        String speed = subjects.get(0).isTime() ? "long" : "fast";
        how = "came out " + Numbers.range(interval) + " times as " + speed + " as itself";
      }
      return new Verdict(
          false,
          List.of(
              Numbers.text(
                  "The machine was too noisy to compare directories: %s, measured twice, %s.",
                  baseline, how),
              Numbers.text(
                  "End other programs and run it again%s with --forks %d.",
                  Boolean.TRUE.equals(results.environment().get("quick")) ? " without --quick" : "",
                  Math.max(ENOUGH_FORKS, 2 * results.forks()))));
    }

    private void tell(Subject subject, List<String> sentences) {
      Optional<? extends Compared> again = subject.of(control);
      if (again.isPresent() && subject != subjects.get(0) && isOff(again.get())) {
        sentences.add(subject.name() + "too noisy to tell.");
        return;
      }
      // Where the baseline may lie against itself.
      Interval noise = again.isPresent() ? again.get().interval95() : null;
      List<String> equal = new ArrayList<>();
      double most = 0;
      List<Compared> other = new ArrayList<>();
      List<String> unclear = new ArrayList<>();
      for (Compared each : subject.found()) {
        if (each.directory().equals(control) || each.interval95() == null) {
          continue;
        }
        double reach = reach(each.interval95());
        if (reach <= EQUAL || (each.isOne() && reach <= CLOSE)) {
          equal.add(each.directory());
          most = Math.max(most, reach);
        } else if (each.interval95().isVague()) {
          unclear.add(each.directory());
        } else if (each.isOne() || (noise != null && noise.contains(each.ratio()))) {
          unclear.add(each.directory() + " (" + Numbers.range(each.interval95()) + ")");
        } else {
          other.add(each);
        }
      }
      List<String> parts = new ArrayList<>();
      if (!equal.isEmpty()) {
        equal.add(baseline);
        parts.add(listed(equal) + " are equal within " + percent(most) + ".");
      }
      other.sort(Comparator.comparingDouble(Compared::ratio).reversed());
      for (Compared each : other) {
        parts.add(
            each.directory()
                + subject.difference(Objects.requireNonNull(each.interval95()))
                + (parts.isEmpty() ? " as " + baseline : "")
                + ".");
      }
      if (!unclear.isEmpty()) {
        boolean starts = parts.isEmpty() && !subject.name().isEmpty();
        parts.add((starts ? "too" : "Too") + " noisy to tell: " + listed(unclear) + ".");
      }
      if (!parts.isEmpty()) {
        parts.set(0, subject.name() + parts.get(0));
      }
      sentences.addAll(parts);
    }

    /** Whether a control has a wide interval, or one that does not hold 1. */
    private static boolean isOff(Compared again) {
      return again.interval95() == null
          || reach(again.interval95()) > MOST_REACH
          || (!again.isOne() && Math.abs(again.ratio() - 1) > EQUAL);
    }

    /** What the mean over kinds hides. */
    private void kinds(List<String> sentences) {
      for (Mean mean : results.means()) {
        List<String> below = mean.tasksBelow();
        if (mean.baseline().equals(baseline)
            && !mean.directory().equals(control)
            && mean.ratio() > mean.bound()
            && below != null
            && !below.isEmpty()) {
          sentences.add(
              Numbers.text(
                  "%s is at least %s slower in %s.",
                  mean.directory(), percent(1 - mean.bound()), listed(below)));
        }
      }
      List<String> unclear =
          groups.stream()
              .filter(Group::summed)
              .flatMap(Group::compared)
              .map(Shown::task)
              .filter(this::isUnclear)
              .toList();
      if (!unclear.isEmpty()) {
        sentences.add(
            "Kinds of query that were too noisy to tell: "
                + (unclear.size() > MOST_NAMES ? "" + unclear.size() : listed(unclear))
                + ".");
      }
    }

    /** Whether the control is far off in a kind, or a directory may be much faster or slower. */
    private boolean isUnclear(String task) {
      return ratios(task)
          .filter(r -> r.interval95() != null)
          .anyMatch(
              f ->
                  f.isOne() != f.directory().equals(control)
                      && reach(Objects.requireNonNull(f.interval95())) > CLOSE_KIND);
    }
  }

  private static String percent(double share) {
    // A hair above a whole number is rounding.
    return (int) Math.ceil(share * 100 - 1e-9) + " %";
  }

  private static String listed(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.get(0)
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }

  private static String capitalized(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
