package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.measures.MeasureAnalysis;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureReport;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.traffic.RateGrid;
import io.github.lucenedirectories.benchmarks.traffic.StepResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the load workload writes and prints. */
final class LoadReport {
  private static final double PERCENT = 100;
  private static final double KEPT = 0.99;

  /* Of fewer requests the highest percentile is the longest. */
  private static final int FEW = 10_000;

  private final LoadPlan.Pace pace;
  private final long seed;
  private final boolean oneServer;
  private final Map<String, List<LoadCell>> cells;
  private final List<String> references;
  private final List<Double> rates;
  private final List<MeasureGroup> groups;

  /**
   * @param oneServer whether all cells of a column are of one server
   * @param cells of each column, the baseline first; each has as many
   * @param baselines of each column, the label that it is compared with
   */
  LoadReport(
      LoadPlan.Pace pace,
      long seed,
      boolean oneServer,
      Map<String, List<LoadCell>> cells,
      Map<String, String> baselines) {
    this.pace = pace;
    this.seed = seed;
    this.oneServer = oneServer;
    this.cells = cells;
    this.references = baselines.values().stream().distinct().toList();
    this.rates = rates(pace, cells.values().iterator().next().get(0));
    this.groups = LoadMeasures.groups(rates);
  }

  /** The rates that all columns have in common. */
  private static List<Double> rates(LoadPlan.Pace pace, LoadCell first) {
    Integer common = first.common();
    return common == null ? pace.rates() : List.of(RateGrid.rate(common));
  }

  /**
   * Writes the files, and prints the tables.
   *
   * @param environment of the run
   * @param notRun queries that were left out
   * @param live what went on beside the searches, in a sentence
   */
  void write(
      Path out,
      Map<String, Object> environment,
      List<Results.Skipped> notRun,
      List<String> live,
      PrintWriter writer)
      throws IOException {
    Results results = results(environment, notRun);
    List<String> notes = new ArrayList<>(live);
    notes.add(notes());
    List<String> remarks = remarks();
    MeasureReport report = new MeasureReport(results, groups, references, notes);
    report.write(out, "Lucene directories under load", remarks);
    report.print(writer, out, remarks);
  }

  private Results results(Map<String, Object> environment, List<Results.Skipped> notRun) {
    List<Measured> columns = new ArrayList<>();
    cells.forEach((label, forks) -> columns.add(LoadMeasures.measured(label, forks, rates)));
    MeasureAnalysis analysis =
        new MeasureAnalysis(LoadCommand.NAME, columns, groups, references, seed);
    return new Results(
            environment, analysis.results(), analysis.ratios(), List.of(), notRun, latencies())
        .withSeries(new LoadCurves(cells, pace.limitMillis()).series());
  }

  /** Of each column, the last step of every fork at each rate that all have in common. */
  private List<Results.Latencies> latencies() {
    List<Results.Latencies> all = new ArrayList<>();
    cells.forEach(
        (label, forks) -> {
          for (double rate : rates) {
            List<String> encoded =
                forks.stream()
                    .flatMap(f -> f.stepAt(rate).map(i -> f.steps().get(i).latency()).stream())
                    .toList();
            all.add(
                new Results.Latencies(
                    LoadCommand.NAME, label, LoadMeasures.latency(rate), "ns", encoded));
          }
        });
    return all;
  }

  private String notes() {
    int forks = cells.values().iterator().next().size();
    return String.format(
        Locale.ROOT,
        "%d %s, each in %d %s; in each %.1f s of warm-up dropped, then steps of"
            + " %.1f s%s at Poisson times over one connection; a rate is held while p99 is within"
            + " %s ms; %s; seed %d.",
        cells.size(),
        cells.size() == 1 ? "column" : "columns",
        forks,
        fork(forks),
        pace.warmupSeconds(),
        pace.stepSeconds(),
        pace.freezeSeconds() > 0
            ? String.format(
                Locale.ROOT,
                ", in the middle of each the server stopped for %.1f s,",
                pace.freezeSeconds())
            : "",
        Numbers.rate(pace.limitMillis()),
        pace.rates().isEmpty()
            ? String.format(
                Locale.ROOT,
                "the rate in common, %s, is half of what the first server held in the better of two"
                    + " searches, for %.1f s",
                LoadMeasures.label(rates.get(0)),
                pace.commonSeconds())
            : "the rates were given",
        seed);
  }

  private String fork(int forks) {
    if (oneServer) {
      return forks == 1 ? "client of one server" : "clients of one server, one after another";
    }
    return forks == 1 ? "pair of server and client" : "pairs of server and client, interleaved";
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (oneServer) {
      remarks.add("All is of one server: intervals tell nothing of what another one would do.");
    }
    remarks.add(requests());
    cells.forEach(
        (label, forks) -> {
          if (forks.stream().anyMatch(fork -> fork.capacity() == null)) {
            remarks.add(label + ": there were forks in which no rate that was tried was held.");
          }
          double slowest = forks.stream().mapToDouble(LoadReport::updates).min().orElse(1);
          if (slowest < KEPT) {
            remarks.add(
                String.format(
                    Locale.ROOT,
                    "%s: the rate of updates was not kept: %.0f %% of it.",
                    label,
                    slowest * PERCENT));
          }
        });
    return remarks;
  }

  /** The share of the updates asked for that were done; 1 if none were asked for. */
  private static double updates(LoadCell cell) {
    int asked = cell.welcome().live().updatesPerSecond();
    return asked == 0 ? 1 : cell.server().updates() / cell.server().seconds() / asked;
  }

  /** How the client did, and how many requests percentiles rest on. */
  private String requests() {
    List<StepResult> steps = new ArrayList<>();
    for (List<LoadCell> forks : cells.values()) {
      for (LoadCell fork : forks) {
        rates.forEach(r -> fork.stepAt(r).ifPresent(i -> steps.add(fork.steps().get(i))));
      }
    }
    long planned = steps.stream().mapToLong(StepResult::planned).sum();
    long sent = steps.stream().mapToLong(StepResult::sent).sum();
    long unanswered = steps.stream().mapToLong(StepResult::unanswered).sum();
    int fewest = steps.stream().mapToInt(StepResult::requests).min().orElse(0);
    double late =
        steps.stream()
                .mapToDouble(step -> step.lateness().getValueAtPercentile(Tail.P99.percent()))
                .max()
                .orElse(0)
            / 1e6;
    return String.format(
            Locale.ROOT,
            "The client sent %,d of %,d requests in time (%.2f %%) at the rates in common, 99 %% of"
                + " them at most %.2f ms late; %,d were never answered.",
            sent,
            planned,
            PERCENT * sent / Math.max(1, planned),
            late,
            unanswered)
        + (fewest < FEW
            ? String.format(
                Locale.ROOT, " Of %,d requests in a step p99.99 is the longest.", fewest)
            : "");
  }

  /** Labels and cells in the order of the grid. */
  static Map<String, List<LoadCell>> byLabel(Map<LoadColumn, List<LoadCell>> samples) {
    Map<String, List<LoadCell>> cells = new LinkedHashMap<>();
    samples.forEach((column, forks) -> cells.put(column.label(), forks));
    return cells;
  }

  /** Each column's baseline. */
  static Map<String, String> baselines(List<LoadColumn> columns) {
    Map<String, String> baselines = new LinkedHashMap<>();
    columns.forEach(column -> baselines.put(column.label(), column.baseline()));
    return baselines;
  }
}
