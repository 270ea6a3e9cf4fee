package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer.Operation;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer.OwnTime;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessFigures;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.lucene.index.ConcurrentMergeScheduler;
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
public final class NrtWorkload extends Workload<NrtWorkload.Input, NrtWorkload.Samples> {
  private static final String BASELINE = "NRTCachingDirectory";

  /* The setting of a column with one of the values of --merge-throttle. */
  private static final String THROTTLE = "throttle";
  private static final String UNTHROTTLED = "none";
  private static final String AUTO = "auto";

  /* Searched unless the user names others: those that take less than a few milliseconds. */
  private static final List<String> KINDS =
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
  private static final double MICROS = 1e3;
  private static final double MEGABYTE = 1e6;
  private static final List<String> PERCENTILES = Recorded.LABELS.subList(0, 4);
  private static final int FEW = 1000;

  /* The share of the updates asked for from which on the rate counts as kept. */
  private static final double KEPT = 0.99;

  @Mixin private TextOptions text = new TextOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Mixin private WriteOptions writing = new WriteOptions();

  @Mixin private PersistentMemory dax = new PersistentMemory();

  @Option(
      names = "--updates",
      paramLabel = "N|MB",
      description =
          "updates per second: documents, or with 1MB so much of their text (default:"
              + " ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private String updates = "1000";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})")
  private int threads = 2;

  @Option(
      names = "--reopen-millis",
      paramLabel = "MS",
      description = "from one reopen to the next (default: ${DEFAULT-VALUE})")
  private int reopenMillis = 1000;

  @Option(
      names = "--commit-seconds",
      paramLabel = "S",
      description = "from one commit to the next (default: no commits)")
  private @Nullable Double commitSeconds;

  @Option(
      names = "--merge-throttle",
      split = ",",
      paramLabel = "none|auto|N",
      description =
          "how ConcurrentMergeScheduler limits the writes of each merge; with several, each"
              + " directory is compared with itself under the first. none: not at all, Lucene's"
              + " default. auto: from 20 MiB/s, adapted to the backlog, for merges of 50 MiB or"
              + " more. A number: forced merges to N MiB/s; the index is then merged into one"
              + " segment again and again in all columns")
  private List<String> throttles = List.of(UNTHROTTLED);

  /**
   * What a fork does.
   *
   * @param index the path of the index that it begins with a copy of
   * @param text the path of a file of documents to update with
   * @param tasks the path of a file of queries that can all run
   * @param warmupSeconds dropped
   * @param seconds measured, and until one reopen was
   * @param updatesPerSecond documents
   * @param commitSeconds from one commit to the next; 0 for none
   * @param threads that search
   * @param forcesMerges whether the index is merged into one segment again and again
   */
  record Input(
      String index,
      int documents,
      String text,
      String tasks,
      double warmupSeconds,
      double seconds,
      int updatesPerSecond,
      int reopenMillis,
      double commitSeconds,
      int threads,
      boolean forcesMerges) {}

  /**
   * What a fork measured.
   *
   * @param directory what the directory says of itself
   * @param own what all reopens spent in the directory, on their thread
   * @param segments of the last reader
   */
  record Samples(
      String directory,
      double seconds,
      Map<Latency, Recorded> latencies,
      OwnTime own,
      int segments,
      Span span) {

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
    for (String throttle : throttles) {
      if (!throttle.matches(UNTHROTTLED + '|' + AUTO) && !isRate(throttle)) {
        throw new UsageException(
            "--merge-throttle must be none, auto or MiB/s: '" + throttle + "'");
      }
    }
    run.values(FULL, QUICK);
    text.check();
    tasks.check();
    dax.check();
    columns();
  }

  private static boolean isRate(String throttle) {
    return throttle.matches("\\d{1,5}(\\.\\d+)?") && Double.parseDouble(throttle) > 0;
  }

  /** At least one. */
  private int documentsPerSecond(double meanBytes) {
    if (!updates.matches("\\d{1,9}|\\d{1,9}(\\.\\d+)?MB")) {
      throw new UsageException(
          "--updates must be like 1000 for documents, or 1MB for bytes of them: '" + updates + "'");
    }
    boolean inMegabytes = updates.endsWith("MB");
    double amount = Double.parseDouble(updates.replace("MB", ""));
    RunOptions.positive("--updates", amount);
    return (int) Math.max(1, Math.round(inMegabytes ? amount * MEGABYTE / meanBytes : amount));
  }

  /** All columns under the first throttle, then each directory under each of the others. */
  private List<Column> columns() {
    List<Column> first =
        writing.columns(BASELINE, run.isQuick() ? QUICK_DIRECTORIES : List.of()).stream()
            .map(c -> c.with(c.label(), THROTTLE, throttles.get(0)))
            .toList();
    List<Column> all = new ArrayList<>(first);
    for (String throttle : throttles.stream().skip(1).distinct().toList()) {
      first.stream()
          .filter(c -> c.label().equals(c.variant()))
          .map(c -> c.with(c.variant() + ", merges " + throttle, THROTTLE, throttle))
          .forEach(all::add);
    }
    return all;
  }

  @Override
  public Plan<Input> plan(Host host) throws IOException {
    RunOptions.Defaults values = run.values(FULL, QUICK);
    List<Column> columns = columns();
    PreparedText lines = PreparedText.prepare(host.workspace(), text.spec(), MOST_LINES);
    Path chosen = host.workspace().file("queries.tasks");
    Prepared prepared =
        new Preparation(
                new IndexSource(null, text.spec(), false, Fields.BODY), tasks, KINDS, host.out())
            .run(
                host.workspace(),
                tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES),
                run.seed(),
                chosen);
    Input input =
        new Input(
            prepared.index(),
            prepared.documents(),
            lines.file(),
            chosen.toString(),
            values.warmupSeconds(),
            values.seconds(),
            documentsPerSecond(lines.meanBytes()),
            reopenMillis,
            commitSeconds == null ? 0 : commitSeconds,
            threads,
            throttles.stream().anyMatch(NrtWorkload::isRate));
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("index", prepared);
    facts.put("text", lines);
    long heapBytes = WriteOptions.useHeap(columns) ? prepared.bytes() * HEAP_INDEXES : 0;
    return new Plan<>(
        input,
        columns,
        references(columns),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(lines.bytes() * TEXT_IN_MEMORY + heapBytes, JvmFlags.Collector.G1),
        new Plan.Page(
            "Near-real-time search on Lucene directories",
            notes(input, prepared, lines),
            facts,
            prepared.skipped()));
  }

  /** With several throttles also the directories under the first one. */
  private List<String> references(List<Column> columns) {
    return columns.stream()
        .filter(c -> c.label().equals(c.variant()))
        .map(Column::label)
        .filter(label -> throttles.size() > 1 || label.equals(BASELINE))
        .toList();
  }

  private List<String> notes(Input input, Prepared prepared, PreparedText lines) {
    return List.of(
        prepared.summary() + ", without vectors. Each directory begins with a copy of it.",
        Numbers.text(
            "%.1f s of warm-up are dropped, then at least %.1f s are measured. %,d updates per"
                + " second of documents of %,.0f bytes on average, a reopen every %,d ms, %s. %d"
                + " threads search %s, each without a pause. Merges are throttled: %s.%s",
            input.warmupSeconds(),
            input.seconds(),
            input.updatesPerSecond(),
            lines.meanBytes(),
            input.reopenMillis(),
            input.commitSeconds() > 0
                ? Numbers.text("a commit every %.1f s", input.commitSeconds())
                : "no commits",
            input.threads(),
            String.join(", ", prepared.kinds()),
            throttles.get(0),
            input.forcesMerges()
                ? " The index is merged into one segment again and again, at no more MiB/s than a"
                    + " number says."
                : ""));
  }

  /** As {@code --merge-throttle} names it. */
  static ConcurrentMergeScheduler merges(String throttle) {
    ConcurrentMergeScheduler merges = new ConcurrentMergeScheduler();
    if (throttle.equals(AUTO)) {
      merges.enableAutoIOThrottle();
    } else if (isRate(throttle)) {
      merges.setForceMergeMBPerSec(Double.parseDouble(throttle));
    }
    return merges;
  }

  @Override
  public Samples run(Input input, Column column, Fork fork) throws IOException {
    LoadedCorpus corpus = LoadedCorpus.read(Path.of(input.text()));
    List<NamedTask> queries = NamedTask.read(Path.of(input.tasks()), Fields.BODY);
    Variant variant = Variants.named(column.variant(), Use.WRITE);
    ConcurrentMergeScheduler merges =
        merges(Objects.requireNonNull(column.settings().get(THROTTLE)));
    DirectoryTimer timer = new DirectoryTimer();
    Workers workers = new Workers();
    try (Directory directory = variant.open(fork.folder(variant), Sizes.DEFAULT)) {
      LiveIndex.copy(Path.of(input.index()), directory);
      try (ProcessMetrics metrics = new ProcessMetrics();
          LiveIndex index = new LiveIndex(new TimedDirectory(directory, timer), workers, merges)) {
        try {
          IndexBuilder documents = new IndexBuilder(false);
          index.startUpdates(
              documents, corpus, input.documents(), input.updatesPerSecond(), fork.seed());
          index.startReopens(input.reopenMillis(), timer);
          if (input.commitSeconds() > 0) {
            index.startCommits(input.commitSeconds());
          }
          if (input.forcesMerges()) {
            index.startForcedMerges(merges);
          }
          for (int i = 0; i < input.threads(); i++) {
            long seed = fork.seed() + 1 + i;
            workers.start("searcher-" + i, () -> search(index, workers, queries, seed));
          }
          workers.await(() -> workers.now() >= input.warmupSeconds() * NANOS);
          metrics.mark();
          workers.open();
          workers.await(
              () ->
                  index.reopens() > 0
                      && workers.sinceOpen(workers.now()) >= input.seconds() * NANOS);
          workers.close();
          metrics.mark();
        } finally {
          workers.join();
        }
        Map<Latency, Recorded> latencies = new EnumMap<>(Latency.class);
        for (Latency latency : Latency.values()) {
          latencies.put(latency, index.recorded(latency));
        }
        return new Samples(
            directory.toString(),
            workers.length() / NANOS,
            latencies,
            index.own(),
            index.check(input.documents()),
            metrics.finishParts());
      }
    }
  }

  /**
   * Searches without a pause (a closed loop), in random order. A stall therefore delays few
   * queries: those that users would have asked meanwhile are not counted as late.
   */
  private static void search(LiveIndex index, Workers workers, List<NamedTask> queries, long seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    LiveIndex.Searches searches = index.new Searches();
    while (!workers.isOver()) {
      searches.run(queries.get(random.nextInt(queries.size())).task());
    }
  }

  @Override
  public List<Figures<Samples>> figures(Plan<Input> plan) {
    return List.of(
        Figures.everywhere(
            "Reopen",
            "All that the reopening thread does: it flushes what was written, waits for small merges"
                + " as Lucene does by default, opens the new segments, and closes the old reader"
                + " unless a search still holds it. It shares the processors with the searches.",
            percentiles(Latency.REOPEN)),
        Figures.everywhere(
            "The directory's own part of a reopen",
            "Wall-clock time of the reopening thread in calls to the directory, its outputs and the"
                + " inputs it opens. Waiting for a lock or a processor is included; flushing,"
                + " compression and merges on other threads are not.",
            percentiles(Latency.OWN)),
        Figures.everywhere(
            "Close of an old reader",
            "Releasing the last hold on an old reader, on the thread that happens to do it: files of"
                + " merged segments are closed and deleted. If a search does it, it is part of that"
                + " query's latency too.",
            percentiles(Latency.CLOSE)),
        Figures.everywhere(
            "Query latency",
            "From taking the current searcher until it is given back. The searching threads form a"
                + " closed loop, so no queries queue up while a directory stalls, and percentiles"
                + " are milder than for arrivals at a fixed rate. Kinds are mixed: high percentiles"
                + " belong to the slow kinds, unless a stall is longer.",
            percentiles(Latency.QUERY)),
        Figures.everywhere(
            "Queries per second",
            "Of all searching threads, over the whole time that was measured.",
            List.of(
                new Figure<>(
                    "queries per second",
                    "queries",
                    "/s",
                    Better.HIGHER,
                    s -> s.perSecond(Latency.QUERY)))),
        Figures.everywhere(
            "Updates",
            "Documents are replaced by random key at a fixed rate. The lag is the time from an"
                + " update's planned moment until it is done. Late updates are made up for, so a"
                + " rate that cannot be kept shows as fewer updates and a growing lag.",
            updateFigures()),
        Figures.everywhere("Commit", "All of IndexWriter.commit.", percentiles(Latency.COMMIT)),
        Figures.onPage(
            "Processor time of a reopen",
            "Of the reopening thread, without waiting.",
            percentiles(Latency.CPU)),
        Figures.onPage(
            "The directory's own part of a reopen by operation",
            "On average. finish: close of an output; close: of an input; look: listAll, fileLength,"
                + " getPendingDeletions.",
            Arrays.stream(Operation.values()).map(NrtWorkload::own).toList()),
        Figures.onPage(
            "The runs",
            "What was measured in a fork, and the segments in the end.",
            List.of(
                Figure.told("seconds", "s", Samples::seconds),
                Figure.told("reopens", "a fork", s -> (double) s.count(Latency.REOPEN)),
                Figure.told("segments", "in the end", s -> (double) s.segments()))),
        ProcessFigures.of(Samples::span));
  }

  private static List<Figure<Samples>> percentiles(Latency latency) {
    return Recorded.figures(latency.label(), PERCENTILES, s -> s.of(latency));
  }

  private static List<Figure<Samples>> updateFigures() {
    List<Figure<Samples>> all = new ArrayList<>();
    all.add(
        new Figure<>(
            "updates per second", "done", "/s", Better.HIGHER, s -> s.perSecond(Latency.LAG)));
    all.addAll(percentiles(Latency.LAG));
    return all;
  }

  private static Figure<Samples> own(Operation operation) {
    return new Figure<>(
        "own part of reopen, " + operation.label(),
        operation.label(),
        "us",
        Better.LOWER,
        s -> s.own().of(operation) / MICROS / s.count(Latency.REOPEN));
  }

  @Override
  public Results complete(Results results, Plan<Input> plan, Map<String, List<Samples>> samples) {
    Map<String, String> directories = Recorded.first(samples, Samples::directory);
    results.environment().put("directories", directories);
    List<Results.Latencies> latencies = new ArrayList<>();
    for (Latency latency : Latency.values()) {
      latencies.addAll(Recorded.latencies(name(), latency.label(), samples, s -> s.of(latency)));
    }
    List<String> hints = new ArrayList<>(PersistentMemory.notes(directories));
    hints.addAll(hints(samples, plan.input().updatesPerSecond()));
    return results.withLatencies(latencies).noting(hints);
  }

  /** What a reader of the tables has to know of these samples. */
  static List<String> hints(Map<String, List<Samples>> samples, int asked) {
    List<String> hints = new ArrayList<>();
    long fewest =
        samples.values().stream()
            .flatMap(List::stream)
            .mapToLong(s -> s.count(Latency.REOPEN))
            .min()
            .orElse(FEW);
    if (fewest < FEW) {
      hints.add(
          "Percentiles are taken in each fork. Of "
              + fewest
              + " reopens "
              + (fewest < FEW / 10 ? "p99 and p99.9 are" : "p99.9 is")
              + " the longest.");
    }
    samples.forEach(
        (label, forks) -> {
          double least =
              forks.stream().mapToDouble(s -> s.perSecond(Latency.LAG)).min().orElse(asked);
          if (least < KEPT * asked) {
            hints.add(
                Numbers.text(
                    "%s did not keep the rate of updates: %,.0f of %,d per second.",
                    label, least, asked));
          }
        });
    return hints;
  }
}
