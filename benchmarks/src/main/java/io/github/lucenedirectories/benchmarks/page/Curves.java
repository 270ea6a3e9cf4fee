package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.At;
import io.github.lucenedirectories.benchmarks.results.Results.Latencies;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.results.Results.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that one run's results hold: what there is, and the points of each directory. */
final class Curves {
  static final String SECONDS = "seconds";

  private static final Pattern BY_SIZE =
      Pattern.compile("(.*\\b(?:commit|second)) (?:of|by) (\\d+)( p\\d+)?");
  static final String BY_SIZE_AXIS = "documents per commit";
  private static final String OVER_TIME = "queries per second";
  private static final int TIME_TICKS = 6;
  private static final double NANOS_IN_MILLI = 1e6;

  private final Results results;
  private final long seed;

  Curves(Results results) {
    this.results = results;
    this.seed = results.environment().get("seed") instanceof Number number ? number.longValue() : 0;
  }

  /** The tasks whose latencies were kept. */
  List<String> latencies() {
    List<Latencies> kept = results.latencies();
    return kept == null ? List.of() : kept.stream().map(Latencies::task).distinct().toList();
  }

  /** The percentiles of a directory's latency in milliseconds; empty if it has none. */
  List<Point> percentiles(String directory, String task) {
    List<Latencies> kept = results.latencies();
    return kept == null
        ? List.of()
        : kept.stream()
            .filter(l -> l.directory().equals(directory) && l.task().equals(task))
            .findFirst()
            .map(l -> TailAxis.points(l.forks(), 1 / NANOS_IN_MILLI, seed))
            .orElse(List.of());
  }

  /** All series, with the queries of each second as one more. */
  List<Series> series() {
    List<Series> all = new ArrayList<>();
    for (Result result : results.results()) {
      if (result.task().equals(OVER_TIME) && !result.repetitions().isEmpty()) {
        all.add(
            new Series(
                result.workload(),
                result.directory(),
                OVER_TIME,
                SECONDS,
                "queries/s",
                null,
                eachSecond(result.repetitions())));
      }
    }
    List<Series> kept = results.series();
    all.addAll(kept == null ? List.of() : kept);
    return all;
  }

  private static List<At> eachSecond(List<List<Double>> forks) {
    int seconds = forks.stream().mapToInt(List::size).min().orElse(0);
    List<At> points = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      int second = i;
      points.add(new At(second + 1, forks.stream().map(fork -> fork.get(second)).toList()));
    }
    return points;
  }

  /** The median over forks at each place, with the range of the forks. */
  static List<Point> points(Series series) {
    return series.points().stream()
        .filter(at -> !at.values().isEmpty())
        .map(
            at ->
                new Point(
                    at.x(),
                    Medians.of(at.values()),
                    at.values().size() == 1
                        ? null
                        : new Interval(
                            at.values().stream().mapToDouble(v -> v).min().orElseThrow(),
                            at.values().stream().mapToDouble(v -> v).max().orElseThrow())))
        .toList();
  }

  /** Round places from the first to the last of some series. */
  static List<Tick> ticks(List<Series> series) {
    TreeSet<Double> places = new TreeSet<>();
    series.forEach(s -> s.points().forEach(at -> places.add(at.x())));
    if (places.isEmpty()) {
      return List.of(new Tick(0, ""));
    }
    double first = places.getFirst();
    double last = places.getLast();
    double step = Math.pow(10, Math.ceil(Math.log10(Math.max(1, last - first) / TIME_TICKS)));
    for (double part : new double[] {5, 2}) {
      step = (last - first) / (step / part) <= TIME_TICKS ? step / part : step;
    }
    List<Tick> ticks = new ArrayList<>(List.of(new Tick(first, number(first))));
    for (double x = (Math.floor(first / step) + 1) * step; x < last; x += step) {
      ticks.add(new Tick(x, number(x)));
    }
    ticks.add(new Tick(last, number(last)));
    return ticks;
  }

  private static String number(double value) {
    return value % 1 == 0 ? Long.toString((long) value) : Double.toString(value);
  }

  /** Figures that were taken for several sizes of commits: their names, without the size. */
  List<String> bySize() {
    Map<String, TreeSet<Integer>> sizes = new LinkedHashMap<>();
    for (String task : results.tasks()) {
      sized(task)
          .ifPresent(s -> sizes.computeIfAbsent(s.name(), n -> new TreeSet<>()).add(s.size()));
    }
    return sizes.entrySet().stream()
        .filter(e -> e.getValue().size() > 1)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A figure of {@link #bySize} as a line over the logarithm of the size. */
  Line bySize(String directory, String name) {
    Map<Integer, Result> found = new TreeMap<>();
    for (Result result : results.results()) {
      if (result.directory().equals(directory) && result.median() > 0) {
        sized(result.task())
            .filter(s -> s.name().equals(name))
            .ifPresent(s -> found.put(s.size(), result));
      }
    }
    List<Tick> ticks = new ArrayList<>();
    List<Point> points = new ArrayList<>();
    String unit = "";
    for (Map.Entry<Integer, Result> each : found.entrySet()) {
      double x = Math.log10(each.getKey());
      ticks.add(new Tick(x, String.format(Locale.ROOT, "%,d", each.getKey())));
      points.add(new Point(x, each.getValue().median(), each.getValue().interval95()));
      unit = each.getValue().unit();
    }
    return new Line(unit, ticks, points);
  }

  /** Points with their axis. */
  record Line(String unit, List<Tick> ticks, List<Point> points) {}

  private record Sized(String name, int size) {}

  private static Optional<Sized> sized(String task) {
    Matcher matcher = BY_SIZE.matcher(task);
    return matcher.matches()
        ? Optional.of(
            new Sized(
                matcher.group(1) + (matcher.group(3) == null ? "" : matcher.group(3)),
                Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }
}
