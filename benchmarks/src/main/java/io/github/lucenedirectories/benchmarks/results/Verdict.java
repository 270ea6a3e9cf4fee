package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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
  private static final List<String> WORDS =
      List.of("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten");

  public Verdict {
    sentences = List.copyOf(sentences);
  }

  /** All sentences in one line. */
  public String text() {
    return String.join(" ", sentences);
  }

  /** The verdict on figures that were compared. */
  public static Verdict of(Results results) {
    return new Judge(results).verdict();
  }

  /** How far an interval reaches from 1, as a share: 0.25 for 0.8 to 1.1. */
  static double reach(Interval interval) {
    return Math.max(interval.high(), 1 / interval.low()) - 1;
  }

  /** A ratio to the baseline. */
  private record Found(String directory, double ratio, @Nullable Interval interval) {
    static Found of(Ratio r) {
      return new Found(r.directory(), r.ratio(), r.interval95());
    }

    static Found of(Mean m) {
      return new Found(m.directory(), m.ratio(), m.interval95());
    }

    boolean isSame() {
      return interval == null || interval.contains(1);
    }
  }

  /**
   * A figure, or the mean of several, by which directories are compared.
   *
   * @param name in front of its sentences; empty if there is one such figure
   * @param figure null for a mean of rates
   */
  private record Subject(String name, @Nullable Shown figure, List<Found> found) {
    Optional<Found> of(String directory) {
      return found.stream().filter(f -> f.directory().equals(directory)).findFirst();
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
      Presentation page = results.presentation();
      groups = page.groups().stream().filter(Group::charted).toList();
      baseline = page.references().stream().findFirst().orElse("");
      control = Results.controlOf(baseline);
      subjects = subjects();
    }

    /** The mean over kinds of query; else the first compared figure of each charted group. */
    private List<Subject> subjects() {
      List<Found> means =
          results.means().stream()
              .filter(m -> m.baseline().equals(baseline))
              .map(Found::of)
              .toList();
      if (!means.isEmpty()) {
        return List.of(new Subject("", null, means));
      }
      return groups.stream()
          .flatMap(group -> group.compared().limit(1))
          .map(
              figure ->
                  new Subject(
                      capitalized(figure.task()) + ": ",
                      figure,
                      ratios().filter(r -> isOf(r, figure)).map(Found::of).toList()))
          .filter(subject -> !subject.found().isEmpty())
          .limit(MOST_GROUPS)
          .toList();
    }

    private static boolean isOf(Ratio ratio, Shown figure) {
      return ratio.task().equals(figure.task());
    }

    private Stream<Ratio> ratios() {
      return results.ratios().stream().filter(r -> r.baseline().equals(baseline));
    }

    Verdict verdict() {
      if (subjects.isEmpty()) {
        return new Verdict(true, List.of("Nothing was compared."));
      }
      if (forks() < 2) {
        return new Verdict(
            false,
            List.of(
                "One JVM of each directory cannot tell a difference from noise.",
                "Measure again with --forks " + ENOUGH_FORKS + "."));
      }
      Optional<Found> lead = subjects.get(0).of(control);
      if (lead.isPresent() && isNoisy(lead.get())) {
        return noisy(lead.get());
      }
      List<String> sentences = new ArrayList<>();
      subjects.forEach(subject -> tell(subject, sentences));
      kinds(sentences);
      return new Verdict(true, sentences);
    }

    private int forks() {
      return results.results().stream().mapToInt(r -> r.samples().size()).max().orElse(0);
    }

    private boolean isNoisy(Found lead) {
      Interval interval = lead.interval();
      if (interval == null || reach(interval) > MOST_REACH) {
        return true;
      }
      if (!interval.contains(1) && Math.abs(lead.ratio() - 1) > EQUAL) {
        return true;
      }
      List<Ratio> controls =
          ratios().filter(r -> r.directory().equals(control) && r.interval95() != null).toList();
      int coloured = (int) controls.stream().filter(r -> !Found.of(r).isSame()).count();
      return !controls.isEmpty()
          && BinomialTest.withDefaults()
              .with(AlternativeHypothesis.GREATER_THAN)
              .test(controls.size(), coloured, ERROR)
              .reject(RARE);
    }

    private Verdict noisy(Found lead) {
      return new Verdict(
          false,
          List.of(
              String.format(
                  Locale.ROOT,
                  "The machine was too noisy to compare directories: %s, measured twice, %s.",
                  baseline,
                  lead.interval() == null || (lead.isSame() && reach(lead.interval()) <= MOST_REACH)
                      ? "differs from itself in more figures than chance explains"
                      : "came out "
                          + range(lead.interval())
                          + " times as "
                          + (isTime(subjects.get(0)) ? "long" : "fast")
                          + " as itself"),
              String.format(
                  Locale.ROOT,
                  "End other programs and run it again%s with --forks %d.",
                  Boolean.TRUE.equals(results.environment().get("quick")) ? " without --quick" : "",
                  Math.max(ENOUGH_FORKS, 2 * forks()))));
    }

    private void tell(Subject subject, List<String> sentences) {
      Optional<Found> again = subject.of(control);
      String name = subject.name();
      if (again.isPresent() && subject != subjects.get(0) && isWide(again.get())) {
        sentences.add(name + "too noisy to tell.");
        return;
      }
      List<Found> equal = new ArrayList<>();
      List<Found> other = new ArrayList<>();
      List<String> unclear = new ArrayList<>();
      for (Found each : subject.found()) {
        if (each.directory().equals(control) || each.interval() == null) {
          continue;
        }
        double reach = reach(each.interval());
        if (reach <= EQUAL || (each.isSame() && reach <= CLOSE)) {
          equal.add(each);
        } else if (each.isSame() || (again.isPresent() && isWithin(each, again.get()))) {
          unclear.add(each.directory() + " (" + range(each.interval()) + ")");
        } else {
          other.add(each);
        }
      }
      List<String> parts = new ArrayList<>();
      if (!equal.isEmpty()) {
        double most =
            equal.stream()
                .mapToDouble(f -> reach(Objects.requireNonNull(f.interval())))
                .max()
                .orElseThrow();
        List<String> names = new ArrayList<>(equal.stream().map(Found::directory).toList());
        names.add(baseline);
        parts.add(listed(names) + " are equal within " + percent(most) + ".");
      }
      other.sort(Comparator.comparingDouble(Found::ratio).reversed());
      for (Found each : other) {
        parts.add(
            each.directory()
                + difference(subject, Objects.requireNonNull(each.interval()))
                + (parts.isEmpty() ? " as " + baseline : "")
                + ".");
      }
      if (!unclear.isEmpty()) {
        boolean starts = parts.isEmpty() && !name.isEmpty();
        parts.add((starts ? "too" : "Too") + " noisy to tell: " + listed(unclear) + ".");
      }
      if (!parts.isEmpty()) {
        parts.set(0, name + parts.get(0));
      }
      sentences.addAll(parts);
    }

    private static boolean isWide(Found again) {
      return again.interval() == null
          || reach(again.interval()) > MOST_REACH
          || (!again.isSame() && Math.abs(again.ratio() - 1) > EQUAL);
    }

    /** Whether a directory lies where its baseline may lie against itself. */
    private static boolean isWithin(Found each, Found again) {
      return again.interval() != null && again.interval().contains(each.ratio());
    }

    private static String difference(Subject subject, Interval interval) {
      if (isTime(subject)) {
        return " takes " + range(interval) + " times as long";
      }
      Shown figure = subject.figure();
      return figure == null || figure.better() == Better.HIGHER
          ? " is " + range(interval) + " times as fast"
          : " needs " + range(interval) + " times as much";
    }

    private static boolean isTime(Subject subject) {
      Shown figure = subject.figure();
      return figure != null
          && figure.better() == Better.LOWER
          && List.of("s", "ms", "µs", "us", "ns").contains(figure.unit());
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
              String.format(
                  Locale.ROOT,
                  "%s is at least %s slower in %s.",
                  mean.directory(),
                  percent(1 - mean.bound()),
                  listed(below)));
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
        boolean one = unclear.size() == 1;
        sentences.add(
            (unclear.size() < WORDS.size() ? WORDS.get(unclear.size()) : "" + unclear.size())
                + (one ? " kind of query was" : " kinds of query were")
                + " too noisy to tell"
                + (unclear.size() > MOST_NAMES ? "." : ": " + listed(unclear) + "."));
      }
    }

    /** Whether the control is far off in a kind, or a directory may be much faster or slower. */
    private boolean isUnclear(String task) {
      return ratios()
          .filter(r -> r.task().equals(task) && r.interval95() != null)
          .map(Found::of)
          .anyMatch(
              f ->
                  f.isSame() != f.directory().equals(control)
                      && reach(Objects.requireNonNull(f.interval())) > CLOSE_KIND);
    }
  }

  private static String range(Interval interval) {
    return Numbers.range(interval);
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
