// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.report.Chart.Bar;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Presentation.FigureGroup;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All charts that results hold. Those of ratios share one axis. */
public final class Charts {
  /** Of an interval that reaches further from its ratio, only so much counts for the axis. */
  private static final double MOST_REACH = 1.5;

  /* The axis never spans less, or noise would look like news. */
  private static final double LEAST_LOW = 0.9;
  private static final double LEAST_HIGH = 1.1;
  private static final double ROOM = 1.02;

  private final Results results;
  private final List<Chart> all = new ArrayList<>();

  private Charts(Results results) {
    this.results = results;
    List<String> references = results.page().references();
    for (FigureGroup group : results.page().groups()) {
      if (group.charted() && group.summed()) {
        pairs(group);
      } else if (group.charted()) {
        references.forEach(reference -> figures(group, reference));
      }
    }
  }

  public static List<Chart> of(Results results) {
    return Stream.concat(scaled(new Charts(results).all).stream(), Curves.of(results).stream())
        .toList();
  }

  /** A chart for each pair of directories: the mean, and each kind. That of the control is last. */
  private void pairs(FigureGroup group) {
    List<Chart> last = new ArrayList<>();
    record Sides(String directory, String other) {}
    for (Sides pair :
        results.ratios().stream()
            .map(r -> new Sides(r.directory(), r.baseline()))
            .distinct()
            .toList()) {
      List<Bar> bars = new ArrayList<>();
      group
          .compared()
          .flatMap(f -> bar(f.heading(), pair.directory(), pair.other(), f).stream())
          .forEach(bars::add);
      if (!bars.isEmpty()) {
        results
            .mean(pair.directory(), pair.other())
            .ifPresent(mean -> bars.addFirst(bar("geometric mean", mean)));
        String title = pair.directory() + " / " + pair.other();
        Chart chart =
            chart(group, title, "right of 1.00: " + pair.directory() + " is faster", bars);
        (pair.directory().equals(results.page().control()) ? last : all).add(chart);
      }
    }
    all.addAll(last);
  }

  private void figures(FigureGroup group, String reference) {
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

  private static Chart chart(FigureGroup group, String title, String note, List<Bar> bars) {
    return new Chart(group.title(), title, note, 0, 0, bars, null);
  }

  private Optional<Bar> bar(String label, String directory, String other, Shown figure) {
    return results.ratio(directory, other, figure.task()).map(ratio -> bar(label, ratio));
  }

  private static Bar bar(String label, Ratio found) {
    Interval interval = found.interval95();
    return new Bar(
        label,
        found.ratio(),
        interval == null ? null : interval.low(),
        interval == null ? null : interval.high(),
        found.verdict());
  }

  private static List<Chart> scaled(List<Chart> charts) {
    double low = Chart.ends(charts, true, MOST_REACH).min().orElse(1);
    double high = Chart.ends(charts, false, MOST_REACH).max().orElse(1);
    double from = Math.min(LEAST_LOW, low) / ROOM;
    double to = Math.max(LEAST_HIGH, high) * ROOM;
    return charts.stream().map(c -> c.scaled(from, to)).toList();
  }
}
