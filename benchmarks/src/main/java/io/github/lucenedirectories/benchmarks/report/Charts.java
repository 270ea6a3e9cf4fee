package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.report.Chart.Bar;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All charts that results hold. Those of ratios share one axis. */
public final class Charts {
  /** Of an interval that reaches further from its ratio, only so much counts for the axis. */
  private static final double MOST_REACH = 1.5;

  /* The axis never spans less, or noise would look like news. */
  private static final double LEAST_LOW = 0.9;
  private static final double LEAST_HIGH = 1.1;
  private static final double ROOM = 1.02;

  private final Results results;
  private final String control;
  private final List<Chart> all = new ArrayList<>();

  private Charts(Results results) {
    this.results = results;
    List<String> references = results.presentation().references();
    this.control = Results.controlOf(references.isEmpty() ? "" : references.get(0));
    for (Group group : results.presentation().groups()) {
      if (group.charted() && group.summed()) {
        pairs(group);
      } else if (group.charted()) {
        references.forEach(reference -> figures(group, reference));
      }
    }
  }

  /** The charts, those of ratios first. */
  public static List<Chart> of(Results results) {
    return Stream.concat(scaled(new Charts(results).all).stream(), Curves.of(results).stream())
        .toList();
  }

  /** A chart for each pair of directories: the mean, and each kind. That of the control is last. */
  private void pairs(Group group) {
    List<Chart> last = new ArrayList<>();
    Stream<String[]> pairs =
        results.ratios().stream()
            .map(r -> new String[] {r.directory(), r.baseline()})
            .map(List::of)
            .distinct()
            .map(pair -> pair.toArray(String[]::new));
    for (String[] pair : pairs.toList()) {
      List<Bar> bars = new ArrayList<>();
      group
          .compared()
          .flatMap(f -> bar(f.heading(), pair[0], pair[1], f).stream())
          .forEach(bars::add);
      if (!bars.isEmpty()) {
        results.mean(pair[0], pair[1]).ifPresent(mean -> bars.add(0, bar(mean)));
        Chart chart =
            chart(
                group, pair[0] + " / " + pair[1], "right of 1.00: " + pair[0] + " is faster", bars);
        (pair[0].equals(control) ? last : all).add(chart);
      }
    }
    all.addAll(last);
  }

  /** A chart for each figure: all directories. */
  private void figures(Group group, String reference) {
    for (Shown figure : group.compared().toList()) {
      List<Bar> bars =
          results.directories().stream()
              .flatMap(d -> bar(d, d, reference, figure).stream())
              .toList();
      if (!bars.isEmpty()) {
        all.add(
            chart(
                group,
                figure.task() + " / that of " + reference,
                figure.better().direction(),
                bars));
      }
    }
  }

  private static Chart chart(Group group, String title, String note, List<Bar> bars) {
    return new Chart(group.title(), title, note, 0, 0, true, bars, null);
  }

  private Optional<Bar> bar(String label, String directory, String other, Shown figure) {
    return results
        .ratio(directory, other, figure.task())
        .map(r -> bar(label, r.ratio(), r.interval95(), r.verdict()));
  }

  private Bar bar(Mean mean) {
    Interval interval = mean.interval95();
    String verdict =
        interval == null || interval.contains(1)
            ? "same"
            : interval.low() > 1 ? "faster" : "slower";
    return bar("geometric mean", mean.ratio(), interval, verdict);
  }

  private Bar bar(String label, double ratio, @Nullable Interval interval, String verdict) {
    return new Bar(
        label,
        ratio,
        interval == null ? null : interval.low(),
        interval == null ? null : interval.high(),
        results.isTrusted() ? verdict : "same");
  }

  /** The same charts with one axis for all. */
  private static List<Chart> scaled(List<Chart> charts) {
    double low = LEAST_LOW;
    double high = LEAST_HIGH;
    for (Chart chart : charts) {
      for (Bar bar : chart.bars()) {
        double value = bar.value();
        low = Math.min(low, Math.max(bar.low() == null ? value : bar.low(), value / MOST_REACH));
        high =
            Math.max(high, Math.min(bar.high() == null ? value : bar.high(), value * MOST_REACH));
      }
    }
    double from = low / ROOM;
    double to = high * ROOM;
    return charts.stream()
        .map(c -> new Chart(c.group(), c.title(), c.note(), from, to, true, c.bars(), c.lines()))
        .toList();
  }
}
