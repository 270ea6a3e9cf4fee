package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Plan.Pair;
import io.github.lucenedirectories.benchmarks.harness.ProcessFigures;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code compare}: runs the same queries on one index through every directory. */
@Command(
    name = "compare",
    description = "Search one index through Lucene's directories and ours, and compare the speeds.",
    footer = {
      "",
      "By default each directory gets 6 forks, each with 2.8 s of warm-up (a JVM is warm after"
          + " about 8) and 1.4 s measured; with --quick 4 forks, 0.7 s and 0.4 s: about a minute.",
      "",
      "Preset: pmem (PmemDirectory and MMapDirectory-pmem, with --dax on persistent memory, else on"
          + " memory that stands for it)."
    })
public final class CompareWorkload extends Workload<Search.Input, Search.Samples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(6, 2.8, 1.4);

  /* So that 7 columns take about a minute on 2 cores; 3 forks would have intervals twice as wide. */
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.7, 0.4);
  private static final int QUERIES = 10;
  private static final int QUICK_QUERIES = 4;
  private static final List<Pair> PAIRS =
      List.of(
          Pair.of("RamDirectory", "ByteBuffersDirectory"),
          Pair.of("NioDirectory", "NIOFSDirectory"));

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--directories",
      split = Variants.SEPARATOR,
      splitSynopsisLabel = ",",
      paramLabel = "NAME",
      description =
          "the directories to compare with MMapDirectory; A+B: A in one JVM with B;"
              + " BlockCacheDirectory[16KiB,25%%]: blocks of 16 KiB, 25 %% of the index")
  private List<String> directories = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})")
  private int threads = 1;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "write the blocks that the queries read, once, in the ARC format of Caffeine's simulator"
              + " (gzip)")
  private @Nullable Path trace;

  @Mixin private PersistentMemory dax = new PersistentMemory();

  private final HitsCheck hits = new HitsCheck();

  @Override
  public void check() throws IOException {
    RunOptions.positive("--threads", threads);
    run.values(FULL, QUICK);
    index.check();
    tasks.check();
    dax.check();
    columns();
  }

  private List<Column> columns() {
    Column baseline = Column.of(Column.find(Variants.BASELINE, Use.SEARCH));
    List<String> names =
        directories.isEmpty()
            ? Variants.defaults(Use.SEARCH).stream().map(Variant::name).toList()
            : directories;
    return Column.compared(baseline, names.stream().map(CompareWorkload::column).toList());
  }

  /** The column of a name, or of two joined by a plus: the first is timed. */
  private static Column column(String name) {
    int plus = name.indexOf('+');
    if (plus < 0) {
      return Column.of(Column.find(name, Use.SEARCH));
    }
    Column timed = column(name.substring(0, plus));
    String beside = Column.find(name.substring(plus + 1), Use.SEARCH).name();
    return timed.with(timed.label() + "+" + beside, Search.BESIDE, beside);
  }

  private static boolean usesHeap(Column column) {
    String beside = column.settings().getOrDefault(Search.BESIDE, column.variant());
    return Variants.named(column.variant(), Use.SEARCH).usesHeap()
        || Variants.named(beside, Use.SEARCH).usesHeap();
  }

  private static List<Pair> pairs(List<Column> columns) {
    Stream<Pair> mixed =
        columns.stream()
            .filter(column -> column.settings().containsKey(Search.BESIDE))
            .filter(column -> !column.variant().equals(Variants.BASELINE))
            .map(column -> Pair.of(column.label(), column.variant()));
    return Stream.concat(PAIRS.stream(), mixed).toList();
  }

  @Override
  public Workspace workspace() throws IOException {
    return dax.workspace();
  }

  @Override
  public Plan<Search.Input> plan(Host host) throws IOException {
    RunOptions.Defaults values = run.values(FULL, QUICK);
    List<Column> columns = columns();
    int queries = tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES);
    Path chosen = host.out().resolve("queries.tasks").toAbsolutePath();
    Prepared prepared =
        new Preparation(index.source(), tasks, List.of(), host.out())
            .run(host.workspace(), queries, run.seed(), chosen);
    Search.Input input =
        new Search.Input(
            prepared.index(),
            chosen.toString(),
            prepared.kinds(),
            index.source().field(),
            values.warmupSeconds(),
            values.seconds(),
            threads,
            true);
    Plan<Search.Input> plan =
        new Plan<>(
            input,
            columns,
            List.of(Variants.BASELINE),
            pairs(columns),
            values.forks(),
            JvmFlags.forIndex(
                columns.stream().anyMatch(CompareWorkload::usesHeap) ? prepared.bytes() : 0),
            new Plan.Page(
                "Lucene directories compared",
                List.of(
                    prepared.summary() + ".",
                    Numbers.text(
                        "%d kinds of at most %d queries; %d directories, each in %d JVMs of its own,"
                            + " interleaved; in each %.1f s of warm-up dropped and %.1f s measured, %d"
                            + " searching thread%s; seed %d. Hits identical on every directory.",
                        prepared.kinds().size(),
                        queries,
                        columns.size(),
                        values.forks(),
                        values.warmupSeconds(),
                        values.seconds(),
                        threads,
                        threads == 1 ? "" : "s",
                        run.seed())),
                Map.of("index", prepared),
                prepared.skipped()));
    if (trace != null) {
      Column traced =
          Column.of(Column.find(Variants.BASELINE, Use.SEARCH))
              .with("trace", Search.TRACE, trace.toAbsolutePath().toString());
      Search.measure(host.start(this, plan, traced, run.seed()), traced, new HitsCheck());
    }
    return plan;
  }

  @Override
  public Search.Samples run(Search.Input input, Column column, Fork fork) throws IOException {
    return Search.run(input, column, fork);
  }

  @Override
  public Search.Samples measure(Host host, Plan<Search.Input> plan, Column column, long seed)
      throws IOException {
    return Search.measure(host.start(this, plan, column, seed), column, hits);
  }

  @Override
  public List<Figures<Search.Samples>> figures(Plan<Search.Input> plan) {
    return List.of(
        Search.rates(plan.input().kinds()),
        ProcessFigures.of(samples -> Objects.requireNonNull(samples.span())));
  }

  @Override
  public Results complete(
      Results results, Plan<Search.Input> plan, Map<String, List<Search.Samples>> samples) {
    Map<String, String> opened = Recorded.first(samples, Search.Samples::directory);
    results.environment().put("directories", opened);
    return results.noting(PersistentMemory.notes(opened));
  }
}
