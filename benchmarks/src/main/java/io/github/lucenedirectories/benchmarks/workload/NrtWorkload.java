// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Mark;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import io.github.lucenedirectories.variants.LastCommit;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nrt}: updates, reopens and searches at the same time, in every directory. */
@Command(
    name = "nrt",
    description =
        "Update, reopen and search an index at the same time, in Lucene's directories and ours.",
    footer = {
      "",
      "Each fork begins with a copy of the same index. Nothing is committed unless --commit-seconds"
          + " is given. The baseline is NRTCachingDirectory over MMapDirectory."
    })
public final class NrtWorkload extends Workload<NrtWorkload.NrtSamples> {
  private static final String BASELINE = "NRTCachingDirectory";

  /* Searched unless the user names others: those that take less than a few milliseconds. */
  private static final List<String> KINDS =
      List.of(
          ("HighTerm MedTerm LowTerm AndHighHigh AndHighMed OrHighHigh OrHighMed Phrase Prefix3"
                  + " IntNRQ TermDateTimeSort PKLookup Stored")
              .split(" "));

  private static final List<String> QUICK_DIRECTORIES =
      List.of(Variants.BASELINE, "RamDirectory", "NrtCacheDirectory");
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 3, 8);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 1.5, 3);
  private static final int QUERIES = 10;
  private static final int QUICK_QUERIES = 4;

  /* Enough that updates hardly repeat, and little to hold in memory. */
  private static final int MOST_LINES = 20_000;
  private static final int TEXT_IN_MEMORY = 3;

  /* An index on the heap, the segments that replace it, and those that searches still hold. */
  private static final int HEAP_INDEXES = 4;

  private static final double NANOS = 1e9;
  private static final double MEGABYTE = 1e6;
  private static final List<String> PERCENTILES = Recorded.LABELS.subList(0, 4);
  private static final int FEW = 1000;

  @Mixin private transient TextOptions text = new TextOptions();

  @Mixin private transient TaskOptions tasks = new TaskOptions();

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Mixin private transient PersistentMemory dax = new PersistentMemory();

  @Option(
      names = "--updates",
      paramLabel = "N|MB",
      description =
          "updates per second: documents, or with 1MB so much of their text (default:"
              + " ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private String updates = "1000";

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 2)")
  private int threads = 2;

  @Option(names = "--reopen-millis", paramLabel = "MS", description = "between two; default: 1000")
  private int reopenMillis = 1000;

  @Option(names = "--commit-seconds", paramLabel = "S", description = "between commits; else none")
  private @Nullable Double commitSeconds;

  private Prepared prepared = Prepared.NONE;
  private PreparedText lines = PreparedText.NONE;

  private int updatesPerSecond;

  /** What a fork measured. */
  record NrtSamples(
      String directory, double seconds, Map<Latency, Recorded> latencies, int segments, Span span) {

    Recorded of(Latency latency) {
      return Objects.requireNonNull(latencies.get(latency));
    }

    long count(Latency latency) {
      return of(latency).count();
    }

    double perSecond(Latency latency) {
      return count(latency) / seconds;
    }
  }

  @Override
  public Workspace workspace() throws IOException {
    return dax.workspace();
  }

  @Override
  public void check() throws IOException {
    documentsPerSecond(1);
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--reopen-millis", reopenMillis);
    if (commitSeconds != null) {
      RunOptions.positive("--commit-seconds", commitSeconds);
    }
    run.values(FULL, QUICK);
    text.check();
    tasks.check();
    dax.check();
    columns();
  }

  /** At least one. */
  private int documentsPerSecond(double meanBytes) {
    RunOptions.refuse(
        !updates.matches("\\d{1,9}|\\d{1,9}(\\.\\d+)?MB"),
        "--updates must be like 1000 for documents, or 1MB for bytes of them: '" + updates + "'");
    boolean inMegabytes = updates.endsWith("MB");
    double amount = Double.parseDouble(updates.replace("MB", ""));
    RunOptions.positive("--updates", amount);
    return (int) Math.max(1, Math.round(inMegabytes ? amount * MEGABYTE / meanBytes : amount));
  }

  private List<Column> columns() {
    return directories.columns(BASELINE, run.isQuick() ? QUICK_DIRECTORIES : List.of(), Use.WRITE);
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    List<Column> columns = columns();
    lines = PreparedText.prepare(host.workspace(), text.spec(), MOST_LINES);
    updatesPerSecond = documentsPerSecond(lines.meanBytes());
    prepared =
        new Preparation(
                new IndexSource(null, text.spec(), false, Fields.BODY), tasks, KINDS, host.out())
            .run(
                host.workspace(),
                tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES),
                run.seed(),
                host.workspace().file("queries.tasks"));
    long heapBytes =
        DirectorySelection.useHeap(columns, Use.WRITE) ? prepared.bytes() * HEAP_INDEXES : 0;
    return new Plan(
        columns,
        List.of(BASELINE),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(lines.bytes() * TEXT_IN_MEMORY + heapBytes, JvmFlags.Collector.G1),
        "Near-real-time search on Lucene directories",
        List.of(
            prepared.summary() + ", without vectors. Each directory begins with a copy of it.",
            note()),
        Map.of(),
        prepared.skipped());
  }

  private String note() {
    return Numbers.text(
        "%.1f s of warm-up are dropped, then at least %.1f s are measured. %,d updates per second"
            + " of documents of %,.0f bytes on average, a reopen every %,d ms, %s. %d threads"
            + " search %s, each without a pause.",
        values.warmupSeconds(),
        values.seconds(),
        updatesPerSecond,
        lines.meanBytes(),
        reopenMillis,
        commitSeconds == null ? "no commits" : Numbers.text("a commit every %.1f s", commitSeconds),
        threads,
        String.join(", ", prepared.kinds()));
  }

  @Override
  public NrtSamples run(Column column, Fork fork) throws IOException {
    LoadedCorpus corpus = lines.load();
    List<Task> queries = prepared.read();
    Variant variant = column.named(Use.WRITE);
    Workers workers = new Workers();
    try (Directory directory = variant.open(fork.folder(variant))) {
      LastCommit.copy(Path.of(prepared.index()), directory);
      try (LiveIndex index = new LiveIndex(new TimedDirectory(directory), workers, true)) {
        Span span;
        try {
          index.startUpdates(corpus, prepared.documents(), updatesPerSecond, fork.seed());
          index.startReopens(reopenMillis);
          if (commitSeconds != null) {
            index.startCommits(commitSeconds);
          }
          for (int i = 0; i < threads; i++) {
            long seed = fork.seed() + 1 + i;
            workers.start("searcher-" + i, () -> search(index, workers, queries, seed));
          }
          workers.await(() -> workers.now() >= values.warmupSeconds() * NANOS);
          Mark mark = Mark.now();
          workers.open();
          workers.await(
              () ->
                  index.reopens() > 0
                      && workers.sinceOpen(workers.now()) >= values.seconds() * NANOS);
          workers.close();
          span = mark.span();
        } finally {
          workers.join();
        }
        return new NrtSamples(
            directory.toString(),
            workers.length() / NANOS,
            index.recorded(),
            index.check(prepared.documents()),
            span);
      }
    }
  }

  /**
   * Searches without a pause (a closed loop), in random order. A stall therefore delays few
   * queries: those that users would have asked meanwhile are not counted as late.
   */
  private static void search(LiveIndex index, Workers workers, List<Task> queries, long seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    while (!workers.isOver()) {
      index.search(queries.get(random.nextInt(queries.size())));
    }
  }

  @Override
  public List<Figures<NrtSamples>> figures(Plan plan) {
    List<Figures<NrtSamples>> all = new ArrayList<>();
    for (Latency latency : Latency.values()) {
      List<Figure<NrtSamples>> figures = new ArrayList<>();
      switch (latency) {
        case QUERY -> figures.add(rate("queries per second", "queries", latency));
        case LAG -> figures.add(rate("updates per second", "done", latency));
        default -> {
          // Percentiles say all.
        }
      }
      figures.addAll(Recorded.figures(latency.label, PERCENTILES, s -> s.of(latency)));
      all.add(Figures.everywhere(latency.title, latency.meaning, figures));
    }
    all.add(
        Figures.onPage(
            "The runs",
            "What was measured in a fork, and the segments in the end.",
            List.of(
                Figure.told("seconds", "s", NrtSamples::seconds),
                Figure.told("reopens", "a fork", s -> (double) s.count(Latency.REOPEN)),
                Figure.told("segments", "in the end", s -> (double) s.segments()))));
    all.add(ProcessMetrics.figures(NrtSamples::span));
    return all;
  }

  private static Figure<NrtSamples> rate(String task, String heading, Latency latency) {
    return new Figure<>(task, heading, "/s", Better.HIGHER, s -> s.perSecond(latency));
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<NrtSamples>> samples) {
    return PersistentMemory.noted(results, samples, NrtSamples::directory).noting(hints(samples));
  }

  private List<String> hints(Map<String, List<NrtSamples>> samples) {
    List<String> hints = new ArrayList<>();
    long fewest = Recorded.fewest(samples, s -> s.of(Latency.REOPEN));
    if (fewest < FEW) {
      hints.add(
          Numbers.text(
              "Percentiles are taken in each fork. Of %d reopens %s the longest.",
              fewest, fewest < FEW / 10 ? "p99 and p99.9 are" : "p99.9 is"));
    }
    samples.forEach(
        (label, forks) -> {
          double least =
              forks.stream().mapToDouble(s -> s.perSecond(Latency.LAG)).min().orElseThrow();
          LiveIndex.lagging(label, least, updatesPerSecond).ifPresent(hints::add);
        });
    return hints;
  }
}
