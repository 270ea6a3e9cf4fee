package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.directories.PersistentMemory;
import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.measures.MeasureAnalysis;
import io.github.lucenedirectories.benchmarks.measures.MeasureReport;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What the near-real-time workload writes and prints. */
final class NrtReport {
  private static final List<String> REFERENCES = List.of(NrtCommand.BASELINE.label());

  private static final double NANOS_IN_MILLI = 1e6;

  private final NrtPlan plan;
  private final Prepared prepared;
  private final PreparedText lines;
  private final JvmFlags flags;
  private final Map<WritableColumn, List<NrtSamples>> samples;

  NrtReport(
      NrtPlan plan,
      Prepared prepared,
      PreparedText lines,
      JvmFlags flags,
      Map<WritableColumn, List<NrtSamples>> samples) {
    this.plan = plan;
    this.prepared = prepared;
    this.lines = lines;
    this.flags = flags;
    this.samples = samples;
  }

  /** Writes the files, and prints the tables. */
  void write(Path out, String command, PrintWriter writer) throws IOException {
    Results results = results(out, command);
    List<String> remarks = NrtMeasures.remarks(samples, plan.load().updatesPerSecond());
    List<String> notes = new ArrayList<>(notes());
    notes.addAll(PersistentMemory.notes(directories()));
    MeasureReport report = new MeasureReport(results, NrtMeasures.GROUPS, REFERENCES, notes);
    report.write(out, "Near-real-time search on Lucene directories", remarks);
    report.print(writer, out, remarks);
  }

  private Results results(Path out, String command) {
    List<Measured> columns = new ArrayList<>();
    samples.forEach((column, forks) -> columns.add(NrtMeasures.measured(column, forks)));
    MeasureAnalysis analysis =
        new MeasureAnalysis(NrtCommand.NAME, columns, NrtMeasures.GROUPS, REFERENCES, plan.seed());
    Map<String, Object> environment = Environment.describe(out, flags.flags());
    environment.put("command", command);
    environment.put("seed", plan.seed());
    environment.put("index", prepared);
    environment.put("text", lines);
    environment.put("plan", plan);
    environment.put("directories", directories());
    return new Results(
            environment,
            analysis.results(),
            analysis.ratios(),
            List.of(),
            prepared.notRun(),
            latencies())
        .withSeries(slowestReopens());
  }

  /** What the directories say of themselves. */
  private Map<String, String> directories() {
    Map<String, String> directories = new LinkedHashMap<>();
    samples.forEach((column, forks) -> directories.put(column.label(), forks.get(0).directory()));
    return directories;
  }

  private List<Results.Series> slowestReopens() {
    List<Results.Series> all = new ArrayList<>();
    samples.forEach(
        (column, forks) -> {
          int seconds = forks.stream().mapToInt(f -> f.slowestReopenNanos().size()).min().orElse(0);
          List<Results.At> points = new ArrayList<>();
          for (int i = 0; i < seconds; i++) {
            int second = i;
            points.add(
                new Results.At(
                    second + 1,
                    forks.stream()
                        .map(fork -> fork.slowestReopenNanos().get(second) / NANOS_IN_MILLI)
                        .filter(millis -> millis > 0)
                        .toList()));
          }
          all.add(
              new Results.Series(
                  NrtCommand.NAME,
                  column.label(),
                  "slowest reopen of each second",
                  "seconds",
                  "ms",
                  null,
                  points));
        });
    return all;
  }

  private List<Results.Latencies> latencies() {
    List<Results.Latencies> all = new ArrayList<>();
    samples.forEach(
        (column, forks) -> {
          for (Latency latency : Latency.values()) {
            List<String> encoded =
                forks.stream()
                    .map(fork -> fork.latencies().get(latency))
                    .filter(Objects::nonNull)
                    .toList();
            if (!encoded.isEmpty()) {
              all.add(
                  new Results.Latencies(
                      NrtCommand.NAME, column.label(), latency.label(), "ns", encoded));
            }
          }
        });
    return all;
  }

  private List<String> notes() {
    Load load = plan.load();
    return List.of(
        prepared.summary()
            + (plan.vectors() ? ", with vectors" : ", without vectors")
            + "; copied into each directory.",
        String.format(
            Locale.ROOT,
            "%d directories, each in %d JVMs of its own, interleaved; in each %.1f s of warm-up"
                + " dropped, then at least %.1f s and %d reopens measured. %,d updates a second of"
                + " documents of %,.0f bytes on average, a"
                + " reopen every %,d ms, %s, %d threads that search %s in a closed loop; caches keep"
                + " merges of %.0f MB and %.0f MB in all; seed %d.",
            plan.columns().size(),
            plan.forks(),
            load.warmupSeconds(),
            load.seconds(),
            load.reopens(),
            load.updatesPerSecond(),
            lines.meanBytes(),
            load.reopenMillis(),
            load.commitSeconds() > 0
                ? String.format(Locale.ROOT, "a commit every %.1f s", load.commitSeconds())
                : "no commit",
            load.threads(),
            String.join(", ", prepared.kinds()),
            plan.cache().maxMergeMegabytes(),
            plan.cache().maxCachedMegabytes(),
            plan.seed()));
  }
}
