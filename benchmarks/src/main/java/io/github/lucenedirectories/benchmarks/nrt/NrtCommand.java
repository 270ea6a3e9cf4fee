package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.directories.DaxOption;
import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.directories.WritableDirectory;
import io.github.lucenedirectories.benchmarks.directories.WritingOptions;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.presets.PresetOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nrt}: updates, reopens and searches at the same time, on every directory. */
@Command(
    name = NrtCommand.NAME,
    preprocessor = PresetOption.class,
    description =
        "Update, reopen and search an index at the same time, in Lucene's directories and ours.",
    footer = {
      "",
      "By default each directory gets 5 forks, each with 3 s of warm-up and 8 s measured; with"
          + " --quick 4 forks, 1.5 s, 3 s, and fewer directories. Each fork begins with a copy of"
          + " the same index. Nothing is committed unless --commit-seconds is given. The baseline"
          + " is NRTCachingDirectory over MMapDirectory.",
      "",
      "What the figures mean. Reopen: " + NrtMeasures.REOPEN_MEANING,
      "",
      "Own part of a reopen: " + NrtMeasures.OWN_MEANING,
      "",
      "Close of an old reader: " + NrtMeasures.CLOSE_MEANING,
      "",
      "Query latency: " + NrtMeasures.QUERY_MEANING,
      "",
      "Updates: " + NrtMeasures.UPDATE_MEANING,
      "",
      "Percentiles are taken in each fork; told is their median over forks.",
      "",
      "Presets: nrt (1 MB/s of updates, a reopen each second, files by positions, mapped files and"
          + " caches of new files), pmem (with a commit each second, on persistent memory or what"
          + " stands for it)."
    },
    sortOptions = false)
public final class NrtCommand implements Callable<Integer> {
  static final String NAME = "nrt";

  /** The kinds that are searched unless the user names others: those that take under a few ms. */
  static final List<String> KINDS =
      List.of(
          "HighTerm",
          "MedTerm",
          "LowTerm",
          "AndHighHigh",
          "AndHighMed",
          "OrHighHigh",
          "OrHighMed",
          "Phrase",
          "Prefix3",
          "IntNRQ",
          "TermDateTimeSort",
          "PKLookup",
          "Stored");

  static final WritableDirectory BASELINE = WritableDirectory.NRT_CACHING;

  private static final List<String> QUICK_DIRECTORIES =
      List.of(
          WritableDirectory.MMAP.label(),
          WritableDirectory.RAM.label(),
          WritableDirectory.NRT_CACHE.label());
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 3, 8);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 1.5, 3);
  private static final int QUERIES = 10;
  private static final int QUICK_QUERIES = 4;

  /* Enough that updates hardly repeat, and little to hold in memory. */
  private static final int MOST_LINES = 20_000;
  private static final int TEXT_IN_MEMORY = 3;

  /* An index on the heap, the segments that replace it, and those that searches still hold. */
  private static final int HEAP_INDEXES = 4;

  @Mixin
  @SuppressWarnings("unused") // it does its work before this command is run
  private PresetOption preset = new PresetOption();

  @Mixin private TextOptions text = new TextOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Mixin private WritingOptions writing = new WritingOptions();

  @Mixin private DaxOption dax = new DaxOption();

  @Option(
      names = "--updates",
      paramLabel = "N|MB",
      description =
          "updated each second: documents, or as 1MB so much of their text (default:"
              + " ${DEFAULT-VALUE})",
      defaultValue = "1000",
      converter = UpdateRate.Converter.class)
  private UpdateRate updates = new UpdateRate(1000, false);

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})",
      defaultValue = "2")
  private int threads = 2;

  @Option(
      names = "--reopen-millis",
      paramLabel = "MS",
      description = "from one reopen to the next (default: ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private int reopenMillis = 1000;

  @Option(
      names = "--reopens",
      paramLabel = "N",
      description =
          "measured of each directory over all its forks, at least; forks take longer for it than"
              + " --seconds where they must (default: as many as come)")
  private @Nullable Integer reopens;

  @Option(
      names = "--commit-seconds",
      paramLabel = "S",
      description = "from one commit to the next (default: none is made)")
  private @Nullable Double commitSeconds;

  @Mixin private RunOptions run = new RunOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    NrtPlan asked = plan();
    Path out = run.out(NAME);
    Preparation.createFolder(out);
    Path scratch = out.resolve("." + NAME + "-" + ProcessHandle.current().pid()).toAbsolutePath();
    try (Workspace workspace = dax.workspace()) {
      workspace.alsoRemove(scratch);
      Path chosen = workspace.file("queries.tasks");
      Prepared prepared;
      PreparedText lines;
      NrtPlan plan;
      JvmFlags flags;
      Map<WritableColumn, List<NrtSamples>> samples;
      try (Progress progress = Progress.create()) {
        progress.note("Preparing");
        lines = PreparedText.prepare(workspace, text.spec(), MOST_LINES);
        plan = asked.updating(updates.documents(lines.meanBytes()));
        prepared =
            new Preparation(
                    new IndexSource(null, text.spec(), asked.vectors(), Fields.BODY),
                    tasks,
                    KINDS,
                    out)
                .run(
                    workspace,
                    tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES),
                    asked.seed(),
                    chosen);
        flags = flags(plan, prepared, lines);
        NrtFork.Input input = new NrtFork.Input(prepared, lines.file(), chosen, scratch);
        samples =
            new Rounds<WritableColumn, NrtSamples>(plan.columns(), WritableColumn::label, progress)
                .run(plan.forks(), plan.seed(), new NrtFork(workspace, flags, plan, input));
      }
      new NrtReport(plan, prepared, lines, flags, samples)
          .write(out, Main.commandLine(), Objects.requireNonNull(spec).commandLine().getOut());
    }
    return 0;
  }

  private NrtPlan plan() throws IOException {
    RunOptions.positive("--updates", updates.amount());
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--reopen-millis", reopenMillis);
    int wanted = reopens == null ? 1 : reopens;
    double commit = commitSeconds == null ? 0 : commitSeconds;
    RunOptions.positive("--reopens", wanted);
    if (commitSeconds != null) {
      RunOptions.positive("--commit-seconds", commit);
    }
    text.check();
    tasks.check();
    writing.check();
    dax.check();
    RunOptions.Defaults values = run.values(FULL, QUICK);
    List<String> all = run.isQuick() ? QUICK_DIRECTORIES : WritableDirectory.defaultLabels();
    return new NrtPlan(
        writing.columns(BASELINE, all),
        values.forks(),
        new Load(
            values.warmupSeconds(),
            values.seconds(),
            Math.ceilDiv(wanted, values.forks()),
            0, // known when the text is
            reopenMillis,
            commit,
            threads),
        writing.vectors(),
        writing.cache(),
        run.seed());
  }

  private static JvmFlags flags(NrtPlan plan, Prepared prepared, PreparedText lines) {
    boolean onHeap = plan.columns().stream().anyMatch(c -> c.directory().usesHeap());
    return JvmFlags.forWriting(
        lines.bytes() * TEXT_IN_MEMORY + (onHeap ? prepared.bytes() * HEAP_INDEXES : 0),
        JvmFlags.Collector.G1);
  }
}
