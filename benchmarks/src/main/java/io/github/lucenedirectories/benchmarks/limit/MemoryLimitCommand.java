package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.groups.MemoryGroups;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.presets.PresetOption;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

/** {@code memory-limit}: as {@code compare}, with less memory than the index has bytes. */
@Command(
    name = MemoryLimitCommand.NAME,
    preprocessor = PresetOption.class,
    description =
        "Search one index through Lucene's directories and ours while a control group limits the"
            + " memory of each JVM, the page cache included.",
    footer = {
      "",
      "By default each directory gets 4 forks, each with 8 s of warm-up and 16 s measured, shared"
          + " by all kinds of 200 queries; with --quick 2 forks, 0.8 s, 1.6 s, and 4 kinds of 50"
          + " queries. With --cold the kinds have 100 queries (--quick: 40), half of which warm up"
          + " and half run once. Without --docs, --copies and --index the text is 16 copies of the"
          + " Europarl lines (--quick: 8) without vectors.",
      "",
      "All directories are compared with MMapDirectory, MMapDirectory-advised (read advice by"
          + " context), NIOFSDirectory, and the best of these in each kind.",
      "",
      "What the figures of a kind mean: " + LimitMeasures.KIND_MEANING,
      "",
      "Those of a fork: " + LimitMeasures.FORK_MEANING,
      "",
      "Preset: engels (16 threads with 20 searches of a kind each, cold; BlockCacheDirectory with blocks of 4, 16 and"
          + " 64 KiB and 10, 25 and 50 %% of the index)."
    },
    sortOptions = false)
public final class MemoryLimitCommand implements Callable<Integer> {
  static final String NAME = LimitJob.NAME;

  private static final List<BenchmarkDirectory> BASELINES =
      List.of(
          BenchmarkDirectory.BASELINE, BenchmarkDirectory.MMAP_ADVISED, BenchmarkDirectory.NIOFS);

  /** What is compared with the baselines unless the user names others. */
  private static final List<BenchmarkDirectory> DEFAULTS =
      List.of(BenchmarkDirectory.HYBRID, BenchmarkDirectory.MAPPED, BenchmarkDirectory.NIO);

  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(4, 8, 16);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 0.8, 1.6);
  private static final int QUERIES = 200;
  private static final int QUICK_QUERIES = 50;
  private static final int COLD_QUERIES = 100;
  private static final int QUICK_COLD_QUERIES = 40;
  private static final List<String> QUICK_KINDS =
      List.of("MedTerm", "Phrase", "PKLookup", "Stored");
  private static final int COPIES = 16;
  private static final int QUICK_COPIES = 8;

  @Mixin
  @SuppressWarnings("unused") // it does its work before this command is run
  private PresetOption preset = new PresetOption();

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "memory of each JVM and of what it reads: 700m, 1g, or 50%% of the index"
              + " (default: 50%%, at least 160m)")
  private @Nullable String limit;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "heap of each JVM (default: a fifth of the limit, at least 96m)")
  private @Nullable String heap;

  @Option(
      names = "--cold",
      description = "begin each kind with nothing of the index in the page cache")
  private boolean cold;

  @Option(
      names = "--merge",
      description =
          "run all kinds mixed, first alone and then while half of the index is merged in the same"
              + " JVM, which has done so once before; nothing of the index changes")
  private boolean merge;

  @Option(
      names = "--directories",
      split = ReadableDirectory.SEPARATOR,
      splitSynopsisLabel = ",",
      paramLabel = "NAME",
      description =
          "the directories to compare with the baselines (default: HybridDirectory,"
              + " MappedDirectory, NioDirectory); BlockCacheDirectory[16KiB,25%%]: blocks"
              + " of 16 KiB, 25 %% of the index")
  private List<String> directories = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private int threads = 1;

  @Mixin private RunOptions run = new RunOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    LimitOption wanted = limit == null ? null : LimitOption.parse("--limit", limit);
    LimitOption wantedHeap = heap == null ? null : LimitOption.parse("--heap", heap);
    List<Entry> columns = columns();
    checkOptions();
    MemoryGroups groups = MemoryGroups.find();
    Path out = run.out(NAME);
    try (Workspace workspace = Workspace.create()) {
      Path chosen = workspace.file("queries.tasks");
      Prepared prepared;
      Memory memory;
      LimitPlan plan;
      List<Results.Skipped> leftOut;
      Map<Entry, List<LimitSamples>> samples;
      try (Progress progress = Progress.create()) {
        progress.note("Preparing");
        prepared =
            new Preparation(source(), tasks, run.isQuick() ? QUICK_KINDS : List.of(), out)
                .run(workspace, queries(), run.seed(), chosen);
        memory = memory(wanted, wantedHeap, prepared.bytes());
        memory.checkHeap(
            "a larger --limit, a smaller --heap, or a larger index (--docs, --copies)");
        memory.checkLimit(groups.leastLimitAbove());
        leftOut = leftOut(columns, memory);
        plan = plan(columns, leftOut);
        samples =
            new Rounds<Entry, LimitSamples>(plan.columns(), Entry::label, progress)
                .run(
                    plan.forks(),
                    plan.seed(),
                    new LimitFork(workspace, groups, memory, plan, prepared, chosen));
      }
      Preparation.keepQueries(chosen, out);
      Map<String, List<LimitSamples>> labelled = new LinkedHashMap<>();
      samples.forEach((column, forks) -> labelled.put(column.label(), forks));
      new LimitReport(plan, prepared, memory, groups.toString(), labels(BASELINES), leftOut)
          .write(
              out,
              Main.commandLine(),
              labelled,
              Objects.requireNonNull(spec).commandLine().getOut());
    }
    return 0;
  }

  private void checkOptions() throws IOException {
    RunOptions.positive("--threads", threads);
    if (merge && cold) {
      throw new UsageException("--merge and --cold exclude each other");
    }
    run.values(FULL, QUICK);
    index.check();
    tasks.check();
  }

  private IndexSource source() {
    if (index.isGiven()) {
      return index.source();
    }
    int copies = run.isQuick() ? QUICK_COPIES : COPIES;
    return new IndexSource(null, new CorpusSpec(List.of(), copies), false, Fields.BODY);
  }

  private int queries() {
    int full = cold ? COLD_QUERIES : QUERIES;
    int quick = cold ? QUICK_COLD_QUERIES : QUICK_QUERIES;
    return tasks.queries(run.isQuick() ? quick : full);
  }

  private static Memory memory(
      @Nullable LimitOption wanted, @Nullable LimitOption wantedHeap, long indexBytes) {
    long limitBytes = wanted == null ? Memory.usualLimitBytes(indexBytes) : wanted.of(indexBytes);
    return new Memory(
        limitBytes,
        wantedHeap == null
            ? Memory.usualHeapMegabytes(limitBytes)
            : wantedHeap.of(limitBytes) >> 20,
        indexBytes);
  }

  private List<Entry> columns() {
    List<String> names = new ArrayList<>(labels(BASELINES));
    for (String name : directories.isEmpty() ? labels(DEFAULTS) : directories) {
      names.add(ReadableDirectory.named(name.strip()).label());
    }
    return Entry.columns(names);
  }

  private static List<Results.Skipped> leftOut(List<Entry> columns, Memory memory) {
    return columns.stream()
        .filter(column -> !memory.hasRoomFor(column.directory()))
        .map(
            column ->
                new Results.Skipped(column.label(), 0, "what it keeps in memory does not fit"))
        .toList();
  }

  private LimitPlan plan(List<Entry> columns, List<Results.Skipped> leftOut) {
    RunOptions.Defaults values = run.values(FULL, QUICK);
    List<String> without = leftOut.stream().map(Results.Skipped::task).toList();
    return new LimitPlan(
        columns.stream().filter(column -> !without.contains(column.label())).toList(),
        values.forks(),
        cold,
        merge,
        values.warmupSeconds(),
        values.seconds(),
        threads,
        queries(),
        index.source().field(),
        run.seed());
  }

  private static List<String> labels(List<BenchmarkDirectory> directories) {
    return directories.stream().map(BenchmarkDirectory::label).toList();
  }
}
