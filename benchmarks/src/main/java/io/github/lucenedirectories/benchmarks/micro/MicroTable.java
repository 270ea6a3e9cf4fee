package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The plain table of a run: for each benchmark a line a directory, with the median time of an
 * operation and the speed relative to a baseline.
 */
final class MicroTable {
  private static final String TIME = "time";

  private final List<Measurement> measurements;
  private final ForkStatistics statistics;

  /**
   * A table of measurements that all have the same number of forks.
   *
   * @param seed of the resampling that gives the intervals
   */
  MicroTable(List<Measurement> measurements, int forks, long seed) {
    this.measurements = List.copyOf(measurements);
    this.statistics = new ForkStatistics(forks, seed);
  }

  /** The lines, without trailing spaces. */
  List<String> lines() {
    Map<String, List<Measurement>> groups = new LinkedHashMap<>();
    for (Measurement measurement : measurements) {
      groups.computeIfAbsent(title(measurement), _ -> new ArrayList<>()).add(measurement);
    }
    TextTable table = new TextTable();
    groups.forEach((title, group) -> addGroup(table, title, group));
    return table.lines();
  }

  private static String title(Measurement measurement) {
    Contrast contrast = Contrast.of(measurement);
    StringJoiner title = new StringJoiner(" ");
    title.add(measurement.benchmark());
    measurement
        .parameters()
        .forEach(
            (name, value) -> {
              if (!name.equals(contrast.parameter)) {
                title.add(name + "=" + value);
              }
            });
    return title.toString();
  }

  private void addGroup(TextTable table, String title, List<Measurement> group) {
    Measurement any = group.getFirst();
    Contrast contrast = Contrast.of(any);
    @Nullable Measurement baseline =
        group.stream().filter(contrast::isBaseline).findFirst().orElse(null);
    table.add(List.of("", "", "", "", ""));
    table.add(
        List.of(
            title,
            any.unit(),
            any.slowest().isEmpty() ? "" : "p99",
            baseline == null ? "" : "speed to " + contrast.baseline,
            ""));
    for (Measurement measurement : group) {
      @Nullable Estimate speed =
          baseline == null || measurement == baseline ? null : speed(measurement, baseline);
      table.add(
          List.of(
              "  " + contrast.label(measurement),
              number(Medians.of(measurement.times())),
              measurement.slowest().isEmpty() ? "" : number(Medians.of(measurement.slowest())),
              speed == null ? "" : factor(speed.value()),
              speed == null ? "" : range(speed.interval95())));
    }
  }

  /** How often the measured operation runs in the time that the baseline's takes. */
  private Estimate speed(Measurement measurement, Measurement baseline) {
    Estimate speed =
        statistics
            .ratios(Map.of(TIME, array(baseline)), Map.of(TIME, array(measurement)))
            .kinds()
            .get(TIME);
    if (speed == null) {
      throw new IllegalStateException("no ratio for " + measurement);
    }
    return speed;
  }

  private static double[] array(Measurement measurement) {
    return measurement.times().stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** At least three digits, never an exponent. */
  private static String number(double value) {
    int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** Both ends of an interval of factors; empty without one. */
  static String range(@Nullable Interval interval) {
    return interval == null
        ? ""
        : "[" + factor(interval.low()) + ", " + factor(interval.high()) + "]";
  }

  /** Two decimals near 1, and no more digits than say something elsewhere. */
  static String factor(double value) {
    int decimals = value >= 10 ? 0 : value >= 0.1 ? 2 : 4;
    return value >= 1e6 ? "huge" : String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** The parameter whose values a group of lines compares. */
  private enum Contrast {
    DIRECTORY("directory", DirectoryKind.BASELINE.className()),
    COMPANY("company", DirectoryPair.ALONE);

    private final String parameter;
    private final String baseline;

    Contrast(String parameter, String baseline) {
      this.parameter = parameter;
      this.baseline = baseline;
    }

    static Contrast of(Measurement measurement) {
      return measurement.parameters().containsKey(COMPANY.parameter) ? COMPANY : DIRECTORY;
    }

    String label(Measurement measurement) {
      return measurement.parameters().getOrDefault(parameter, "");
    }

    boolean isBaseline(Measurement measurement) {
      return label(measurement).equals(baseline);
    }
  }
}
