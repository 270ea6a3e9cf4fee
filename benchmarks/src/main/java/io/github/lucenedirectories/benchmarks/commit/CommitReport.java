package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.directories.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.measures.MeasureAnalysis;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureReport;
import io.github.lucenedirectories.benchmarks.measures.Measured;
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
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the commit workload writes and prints. */
final class CommitReport {
  private static final List<String> REFERENCES =
      List.of(CommitColumn.BASELINE, CommitColumn.DAX_BASELINE);

  private final CommitPlan plan;
  private final PreparedText prepared;
  private final JvmFlags flags;
  private final List<Results.Skipped> skipped;
  private final Map<CommitColumn, List<CommitSamples>> samples;
  private final List<MeasureGroup> groups;

  /**
   * @param skipped the columns that this machine does not allow
   */
  CommitReport(
      CommitPlan plan,
      PreparedText prepared,
      JvmFlags flags,
      List<Results.Skipped> skipped,
      Map<CommitColumn, List<CommitSamples>> samples) {
    this.plan = plan;
    this.prepared = prepared;
    this.flags = flags;
    this.skipped = List.copyOf(skipped);
    this.samples = samples;
    this.groups = CommitMeasures.groups(plan.documentsPerCommit());
  }

  /** Writes the files, and prints the tables. */
  void write(Path out, String command, PrintWriter writer) throws IOException {
    List<String> notes = new ArrayList<>(notes());
    notes.addAll(PersistentMemory.notes(directories()));
    MeasureReport report = new MeasureReport(results(out, command), groups, REFERENCES, notes);
    List<String> remarks = new ArrayList<>();
    skipped.forEach(s -> remarks.add("Left out: " + s));
    remarks.addAll(CommitMeasures.remarks(samples));
    report.write(out, "Commits in Lucene directories", remarks);
    report.print(writer, out, remarks);
  }

  private Results results(Path out, String command) {
    List<Measured> columns = new ArrayList<>();
    samples.forEach((column, forks) -> columns.add(CommitMeasures.measured(column, forks)));
    MeasureAnalysis analysis =
        new MeasureAnalysis(CommitCommand.NAME, columns, groups, REFERENCES, plan.seed());
    Map<String, Object> environment = Environment.describe(out, flags.flags());
    environment.put("command", command);
    environment.put("seed", plan.seed());
    environment.put("text", prepared);
    environment.put("plan", plan);
    environment.put("directories", directories());
    List<Results.Latencies> latencies = new ArrayList<>();
    latencies.addAll(latencies("commit", CommitSamples.Size::whole));
    latencies.addAll(latencies("own part of commit", CommitSamples.Size::own));
    return new Results(
        environment, analysis.results(), analysis.ratios(), List.of(), skipped, latencies);
  }

  /** What the directories say of themselves. */
  private Map<String, String> directories() {
    Map<String, String> directories = new LinkedHashMap<>();
    samples.forEach((column, forks) -> directories.put(column.label(), forks.get(0).directory()));
    return directories;
  }

  private List<Results.Latencies> latencies(
      String task, Function<CommitSamples.Size, String> histogram) {
    List<Results.Latencies> all = new ArrayList<>();
    samples.forEach(
        (column, forks) -> {
          for (int i = 0; i < plan.documentsPerCommit().size(); i++) {
            int number = i;
            all.add(
                new Results.Latencies(
                    CommitCommand.NAME,
                    column.label(),
                    task + " of " + plan.documentsPerCommit().get(i),
                    "ns",
                    forks.stream().map(f -> histogram.apply(f.sizes().get(number))).toList()));
          }
        });
    return all;
  }

  private List<String> notes() {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s: %,d documents, over and over, without vectors; Lucene's default merging.",
            prepared.source(),
            prepared.documents()),
        String.format(
            Locale.ROOT,
            "%d directories, each in %d JVMs of its own, interleaved; in each one thread, and an"
                + " index for each of %s documents per commit; %.1f s of commits dropped and %.1f s"
                + " measured, shared by these, after the directory was closed and opened; seed %d."
                + " All documents found every time.",
            plan.columns().size(),
            plan.forks(),
            plan.documentsPerCommit().stream()
                .map(String::valueOf)
                .collect(Collectors.joining(", ")),
            plan.warmupSeconds(),
            plan.seconds(),
            plan.seed()));
  }
}
