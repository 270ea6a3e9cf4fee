package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.directories.DaxOption;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.directories.PersistentMemory;
import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.MeasureAnalysis;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.page.RunPage;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.presets.PresetOption;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

/** {@code compare}: one index, the same queries, every directory in JVMs of its own. */
@Command(
    name = CompareCommand.NAME,
    preprocessor = PresetOption.class,
    description = "Search one index through Lucene's directories and ours, and compare the speeds.",
    footer = {
      "",
      "By default each directory gets 6 forks, each with 2.8 s of warm-up (a JVM is warm after"
          + " about 8) and 1.4 s measured; with --quick 4 forks, 0.7 s and 0.4 s: about a minute.",
      "",
      "Preset: pmem (PmemDirectory and MMapDirectory-pmem, with --dax on persistent memory, else on"
          + " memory that stands for it)."
    },
    sortOptions = false)
public final class CompareCommand implements Callable<Integer> {
  static final String NAME = "compare";

  /* So that 7 columns take about a minute on 2 cores; 3 forks would have intervals twice as wide. */
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.7, 0.4);
  private static final int QUICK_QUERIES = 4;
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(6, 2.8, 1.4);
  private static final int QUERIES = 10;

  @Mixin
  @SuppressWarnings("unused") // it does its work before this command is run
  private PresetOption preset = new PresetOption();

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--directories",
      split = ReadableDirectory.SEPARATOR,
      splitSynopsisLabel = ",",
      paramLabel = "NAME",
      description =
          "the directories to compare with MMapDirectory; A+B: A in one JVM with B;"
              + " BlockCacheDirectory[16KiB,25%%]: blocks of 16 KiB, 25 %% of the index")
  private List<String> directories = List.of();

  @Option(
      names = "--mixed",
      description = "compare what two directories in one JVM cost each other, ours and Lucene's")
  private boolean mixed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private int threads = 1;

  @Mixin private DaxOption dax = new DaxOption();

  @Mixin private RunOptions run = new RunOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    ComparePlan plan = plan();
    Path out = run.out(NAME);
    try (Workspace workspace = dax.workspace()) {
      Path chosen = workspace.file("queries.tasks");
      Prepared prepared;
      JvmFlags flags;
      Map<Entry, List<SearchSamples>> samples;
      try (Progress progress = Progress.create()) {
        progress.note("Preparing");
        prepared =
            new Preparation(index.source(), tasks, List.of(), out)
                .run(workspace, queries(), plan.seed(), chosen);
        flags = flags(plan, prepared);
        SearchFork fork = new SearchFork(workspace, flags, plan, Path.of(prepared.index()), chosen);
        samples =
            new Rounds<Entry, SearchSamples>(plan.columns(), Entry::label, progress)
                .run(plan.forks(), plan.seed(), fork);
      }
      Preparation.keepQueries(chosen, out);
      report(out, plan, prepared, flags, samples);
    }
    return 0;
  }

  private ComparePlan plan() throws IOException {
    RunOptions.positive("--threads", threads);
    RunOptions.Defaults values = run.values(FULL, QUICK);
    index.check();
    tasks.check();
    dax.check();
    return new ComparePlan(
        columns(),
        values.forks(),
        values.warmupSeconds(),
        values.seconds(),
        threads,
        true,
        index.source().field(),
        run.seed());
  }

  private int queries() {
    return tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES);
  }

  private List<Entry> columns() {
    List<String> names =
        directories.isEmpty() && !mixed
            ? BenchmarkDirectory.DEFAULTS.stream().map(BenchmarkDirectory::label).toList()
            : new ArrayList<>(directories);
    if (mixed) {
      names.addAll(Entry.MIXED);
    }
    return Entry.columns(names);
  }

  private static JvmFlags flags(ComparePlan plan, Prepared prepared) {
    boolean onHeap = plan.columns().stream().anyMatch(Entry::usesHeap);
    return JvmFlags.forIndex(onHeap ? prepared.bytes() : 0);
  }

  private void report(
      Path out,
      ComparePlan plan,
      Prepared prepared,
      JvmFlags flags,
      Map<Entry, List<SearchSamples>> samples)
      throws IOException {
    Analysis analysis = new Pairs(samples).analyse(plan.forks(), plan.seed());
    Map<String, Object> environment =
        Environment.describe(Path.of(prepared.index()), flags.flags());
    environment.put("command", Main.commandLine());
    environment.put("seed", plan.seed());
    environment.put("index", prepared);
    environment.put("plan", plan);
    Map<String, String> directories = new LinkedHashMap<>();
    List<Measured> beside = new ArrayList<>();
    samples.forEach(
        (column, forks) -> {
          directories.put(column.label(), forks.get(0).directory());
          beside.add(beside(column, forks));
        });
    environment.put("directories", directories);
    List<String> notes = new ArrayList<>(notes(plan, prepared));
    notes.addAll(PersistentMemory.notes(directories));
    List<Result> all = new ArrayList<>(analysis.results());
    all.addAll(
        new MeasureAnalysis(NAME, beside, List.of(Beside.GROUP), List.of(), plan.seed()).results());
    Path file = out.resolve("results.json");
    results(environment, all, analysis, prepared)
        .shown(
            new Presentation(
                "Lucene directories compared",
                notes,
                List.of(Entry.BASELINE.label()),
                List.of(Beside.GROUP.presentation())))
        .write(file);
    new RunPage(Results.read(file)).write(out.resolve("report.html"));
    print(out, results(environment, analysis.results(), analysis, prepared), notes);
  }

  private static Results results(
      Map<String, Object> environment, List<Result> results, Analysis analysis, Prepared prepared) {
    return new Results(
        environment, results, analysis.ratios(), analysis.means(), prepared.notRun());
  }

  private static Measured beside(Entry column, List<SearchSamples> forks) {
    return new Measured(
        column.label(),
        forks.stream().map(fork -> Beside.all(Objects.requireNonNull(fork.beside()))).toList());
  }

  private List<String> notes(ComparePlan plan, Prepared prepared) {
    return List.of(
        prepared.summary() + ".",
        String.format(
            Locale.ROOT,
            "%d kinds of at most %d queries; %d directories, each in %d JVMs of its own, interleaved; in each"
                + " %.1f s of warm-up dropped and %.1f s measured, %d searching thread%s; seed %d."
                + " Hits identical on every directory.",
            prepared.kinds().size(),
            queries(),
            plan.columns().size(),
            plan.forks(),
            plan.warmupSeconds(),
            plan.seconds(),
            plan.threads(),
            plan.threads() == 1 ? "" : "s",
            plan.seed()));
  }

  private void print(Path out, Results results, List<String> notes) {
    PrintWriter writer = Objects.requireNonNull(spec).commandLine().getOut();
    notes.forEach(writer::println);
    results.notRun().forEach(writer::println);
    writer.println();
    new TextReport(results, List.of(Entry.BASELINE.label())).lines().forEach(writer::println);
    writer.println();
    for (String name : List.of("results.json", "report.html", "queries.tasks")) {
      writer.println("Written: " + out.resolve(name));
    }
    writer.flush();
  }
}
