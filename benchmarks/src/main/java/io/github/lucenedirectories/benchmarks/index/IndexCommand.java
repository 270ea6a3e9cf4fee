package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.directories.WritableDirectory;
import io.github.lucenedirectories.benchmarks.directories.WritingOptions;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.measures.MeasureAnalysis;
import io.github.lucenedirectories.benchmarks.measures.MeasureReport;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code index}: the same text indexed into every directory, in JVMs of its own. */
@Command(
    name = IndexCommand.NAME,
    description = "Index one text into Lucene's directories and ours, and compare the speeds.",
    footer = {
      "",
      "By default each directory gets 5 forks; in each whole runs are dropped for 1 s and measured"
          + " for 1.5 s, at least one (--warmup 0: none is dropped). With --quick 4 forks, 0.5 s,"
          + " 0.5 s, and the first 8,000 documents. All runs of a fork use one directory, emptied"
          + " in between.",
      "",
      "What the figures mean. " + IndexMeasures.SPEED_MEANING,
      "",
      "Own time. " + IndexMeasures.OWN_MEANING,
      "",
      "Every directory is compared with MMapDirectory and with ByteBuffersDirectory."
    },
    sortOptions = false)
public final class IndexCommand implements Callable<Integer> {
  static final String NAME = "index";

  private static final WritableDirectory BASELINE = WritableDirectory.MMAP;
  private static final List<String> REFERENCES =
      List.of(BASELINE.label(), WritableDirectory.BYTE_BUFFERS.label());
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 1, 1.5);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.5, 0.5);
  private static final int QUICK_DOCUMENTS = 8_000;

  /* Lucene's tables for a text, and copies of a file that grows, relative to the text. */
  private static final int HEAP_TEXTS = 5;
  private static final int TEXT_IN_MEMORY = 3;

  @Mixin private TextOptions text = new TextOptions();

  @Mixin private WritingOptions writing = new WritingOptions();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that index (default: ${DEFAULT-VALUE})",
      defaultValue = "2")
  private int threads = 2;

  @Option(
      names = "--buffer-mb",
      paramLabel = "MB",
      description =
          "documents that IndexWriter gathers before it writes a segment (default:"
              + " ${DEFAULT-VALUE}; Lucene's own is 16, with which the default text has no merge)",
      defaultValue = "2")
  private double bufferMegabytes = 2;

  @Mixin private RunOptions run = new RunOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    RunOptions.Defaults values = check();
    List<WritableColumn> columns = writing.columns(BASELINE, WritableDirectory.defaultLabels());
    Path out = run.out(NAME);
    Preparation.createFolder(out);
    Path scratch = out.resolve("." + NAME + "-" + ProcessHandle.current().pid()).toAbsolutePath();
    try (Workspace workspace = Workspace.create()) {
      workspace.alsoRemove(scratch);
      PreparedText prepared;
      IndexPlan plan;
      JvmFlags flags;
      Map<WritableColumn, List<IndexSamples>> samples;
      try (Progress progress = Progress.create()) {
        progress.note("Reading the text");
        int limit = run.isQuick() ? QUICK_DOCUMENTS : Integer.MAX_VALUE;
        prepared = PreparedText.prepare(workspace, text.spec(), limit);
        plan = plan(columns, values, prepared);
        flags = flags(plan, prepared);
        IndexFork fork = new IndexFork(workspace, flags, plan, prepared.file(), scratch);
        samples =
            new Rounds<WritableColumn, IndexSamples>(columns, WritableColumn::label, progress)
                .run(plan.forks(), plan.seed(), fork);
      }
      report(out, plan, prepared, flags, samples);
    }
    return 0;
  }

  private RunOptions.Defaults check() {
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--buffer-mb", bufferMegabytes);
    text.check();
    writing.check();
    return run.values(FULL, QUICK);
  }

  private IndexPlan plan(
      List<WritableColumn> columns, RunOptions.Defaults values, PreparedText prepared) {
    return new IndexPlan(
        columns,
        values.forks(),
        values.warmupSeconds(),
        values.seconds(),
        threads,
        bufferMegabytes,
        Math.multiplyExact(prepared.documents(), text.spec().copies()),
        writing.vectors(),
        writing.cache(),
        run.seed());
  }

  private JvmFlags flags(IndexPlan plan, PreparedText prepared) {
    boolean onHeap = plan.columns().stream().anyMatch(c -> c.directory().usesHeap());
    long indexed = prepared.bytes() * text.spec().copies();
    return JvmFlags.forWriting(
        prepared.bytes() * TEXT_IN_MEMORY + (onHeap ? indexed * HEAP_TEXTS : 0),
        JvmFlags.Collector.SERIAL);
  }

  private void report(
      Path out,
      IndexPlan plan,
      PreparedText prepared,
      JvmFlags flags,
      Map<WritableColumn, List<IndexSamples>> samples)
      throws IOException {
    IndexMeasures measures = new IndexMeasures(plan.documents());
    List<Measured> columns = new ArrayList<>();
    samples.forEach((column, forks) -> columns.add(measures.measured(column, forks)));
    MeasureAnalysis analysis =
        new MeasureAnalysis(NAME, columns, IndexMeasures.GROUPS, REFERENCES, plan.seed());
    Map<String, Object> environment = Environment.describe(out, flags.flags());
    environment.put("command", Main.commandLine());
    environment.put("seed", plan.seed());
    environment.put("text", prepared);
    environment.put("plan", plan);
    Results results =
        new Results(environment, analysis.results(), analysis.ratios(), List.of(), List.of());
    MeasureReport report =
        new MeasureReport(results, IndexMeasures.GROUPS, REFERENCES, notes(plan, prepared));
    report.write(out, "Indexing into Lucene directories", List.of());
    report.print(Objects.requireNonNull(spec).commandLine().getOut(), out, List.of());
  }

  private List<String> notes(IndexPlan plan, PreparedText prepared) {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s: %,d documents, %s of text, %s.",
            prepared.source(),
            plan.documents(),
            Numbers.bytes(prepared.bytes() * text.spec().copies()),
            plan.vectors() ? "with vectors" : "without vectors"),
        String.format(
            Locale.ROOT,
            "%d directories, each in %d JVMs of its own, interleaved; in each whole runs, into one"
                + " directory that is emptied in between, dropped for %.1f s and measured for %.1f"
                + " s, at least one; %d indexing threads, %.0f MB buffered, Lucene's"
                + " default merging; seed %d. All documents found in every run.",
            plan.columns().size(),
            plan.forks(),
            plan.warmupSeconds(),
            plan.seconds(),
            plan.threads(),
            plan.bufferMegabytes(),
            plan.seed()));
  }
}
