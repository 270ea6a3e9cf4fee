package io.github.lucenedirectories.benchmarks.workload;

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
import io.github.lucenedirectories.benchmarks.results.Figures.Shown;
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
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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

  /* Later seconds are not counted one by one. */
  private static final int MOST_SECONDS = 24 * 60 * 60;

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e6;
  private static final double MICROS = 1e3;
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
      defaultValue = "1000",
      converter = RateConverter.class)
  private Rate updates = new Rate(1000, false);

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
          "fewest reopens of each directory over all its forks; forks run longer than --seconds if"
              + " they must (default: no minimum)")
  private @Nullable Integer reopens;

  @Option(
      names = "--commit-seconds",
      paramLabel = "S",
      description = "from one commit to the next (default: no commits)")
  private @Nullable Double commitSeconds;

  /** How much is updated per second: documents, or millions of bytes of their text. */
  record Rate(double amount, boolean inMegabytes) {
    private static final double MEGABYTE = 1e6;

    /** Documents per second, at least one. */
    int documents(double meanBytes) {
      return (int) Math.max(1, Math.round(inMegabytes ? amount * MEGABYTE / meanBytes : amount));
    }
  }

  /** Reads {@code 1000} or {@code 1.5MB}. */
  static final class RateConverter implements ITypeConverter<Rate> {
    private static final Pattern FORM = Pattern.compile("(\\d+)|(\\d+(?:\\.\\d+)?)MB");

    @Override
    public Rate convert(String text) {
      Matcher matcher = FORM.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "not a rate: '" + text + "' (write 1000 for documents, 1MB for bytes of them)");
      }
      return matcher.group(1) == null
          ? new Rate(Double.parseDouble(matcher.group(2)), true)
          : new Rate(Double.parseDouble(text), false);
    }
  }

  /**
   * What a fork does.
   *
   * @param index the path of the index that it begins with a copy of
   * @param text the path of a file of documents to update with
   * @param tasks the path of a file of queries that can all run
   * @param sizes of the caches of new files
   * @param warmupSeconds dropped
   * @param seconds measured, at least
   * @param reopens measured, at least
   * @param updatesPerSecond documents
   * @param commitSeconds from one commit to the next; 0 for none
   * @param threads that search
   */
  record Input(
      String index,
      int documents,
      String text,
      boolean vectors,
      String tasks,
      Sizes sizes,
      double warmupSeconds,
      double seconds,
      int reopens,
      int updatesPerSecond,
      int reopenMillis,
      double commitSeconds,
      int threads) {}

  /**
   * What a fork measured.
   *
   * @param directory what the directory says of itself
   * @param latencies those that were recorded
   * @param queriesPerSecond of each whole second
   * @param slowestReopens of each whole second, in nanoseconds; 0 where none began
   * @param own what all reopens spent in the directory, on their thread
   * @param segments of the last reader
   */
  record Samples(
      String directory,
      double seconds,
      Map<Latency, Recorded> latencies,
      List<Integer> queriesPerSecond,
      List<Long> slowestReopens,
      OwnTime own,
      int segments,
      Span span) {

    long count(Latency latency) {
      Recorded recorded = latencies.get(latency);
      return recorded == null ? 0 : recorded.count();
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
  public Plan<Input> plan(Host host) throws IOException {
    RunOptions.positive("--updates", updates.amount());
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--reopen-millis", reopenMillis);
    if (reopens != null) {
      RunOptions.positive("--reopens", reopens);
    }
    if (commitSeconds != null) {
      RunOptions.positive("--commit-seconds", commitSeconds);
    }
    text.check();
    tasks.check();
    writing.check();
    dax.check();
    RunOptions.Defaults values = run.values(FULL, QUICK);
    List<Column> columns = writing.columns(BASELINE, run.isQuick() ? QUICK_DIRECTORIES : List.of());
    PreparedText lines = PreparedText.prepare(host.workspace(), text.spec(), MOST_LINES);
    Path chosen = host.workspace().file("queries.tasks");
    Prepared prepared =
        new Preparation(
                new IndexSource(null, text.spec(), writing.vectors(), Fields.BODY),
                tasks,
                KINDS,
                host.out())
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
            writing.vectors(),
            chosen.toString(),
            writing.sizes(),
            values.warmupSeconds(),
            values.seconds(),
            reopens == null ? 1 : Math.ceilDiv(reopens, values.forks()),
            updates.documents(lines.meanBytes()),
            reopenMillis,
            commitSeconds == null ? 0 : commitSeconds,
            threads);
    boolean onHeap = columns.stream().anyMatch(c -> Column.find(c.variant(), Use.WRITE).usesHeap());
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("index", prepared);
    facts.put("text", lines);
    return new Plan<>(
        input,
        columns,
        List.of(BASELINE),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(
            lines.bytes() * TEXT_IN_MEMORY + (onHeap ? prepared.bytes() * HEAP_INDEXES : 0),
            JvmFlags.Collector.G1),
        new Plan.Page(
            "Near-real-time search on Lucene directories",
            notes(input, prepared, lines),
            facts,
            prepared.skipped()));
  }

  private static List<String> notes(Input input, Prepared prepared, PreparedText lines) {
    return List.of(
        prepared.summary()
            + (input.vectors() ? ", with vectors" : ", without vectors")
            + ". Each directory begins with a copy of it.",
        String.format(
            Locale.ROOT,
            "%.1f s of warm-up are dropped, then at least %.1f s and %d reopens are measured. %,d"
                + " updates per second of documents of %,.0f bytes on average, a reopen every %,d"
                + " ms, %s. %d threads search %s, each without a pause. Caches of new files keep"
                + " merges of %.0f MB, and %.0f MB in all.",
            input.warmupSeconds(),
            input.seconds(),
            input.reopens(),
            input.updatesPerSecond(),
            lines.meanBytes(),
            input.reopenMillis(),
            input.commitSeconds() > 0
                ? String.format(Locale.ROOT, "a commit every %.1f s", input.commitSeconds())
                : "no commits",
            input.threads(),
            String.join(", ", prepared.kinds()),
            input.sizes().mergeMegabytes(),
            input.sizes().cacheMegabytes()));
  }

  @Override
  public Samples run(Input input, Column column, Fork fork) throws IOException {
    LoadedCorpus corpus = LoadedCorpus.read(Path.of(input.text()));
    List<NamedTask> queries = NamedTask.read(Path.of(input.tasks()), Fields.BODY);
    Variant variant = Variants.named(column.variant(), Use.WRITE);
    DirectoryTimer timer = new DirectoryTimer();
    Workers workers = new Workers();
    try (Directory directory = variant.open(fork.folder(variant), input.sizes())) {
      LiveIndex.copy(Path.of(input.index()), directory);
      Directory timed = WriteOptions.timed(column, directory, timer);
      try (ProcessMetrics metrics = new ProcessMetrics();
          LiveIndex index = new LiveIndex(timed, true, workers)) {
        AtomicIntegerArray perSecond = new AtomicIntegerArray(MOST_SECONDS);
        try {
          IndexBuilder documents = new IndexBuilder(input.vectors());
          index.startUpdates(
              documents, corpus, input.documents(), input.updatesPerSecond(), fork.seed());
          index.startReopens(input.reopenMillis(), timer);
          if (input.commitSeconds() > 0) {
            index.startCommits(input.commitSeconds());
          }
          for (int i = 0; i < input.threads(); i++) {
            long seed = fork.seed() + 1 + i;
            workers.start("searcher-" + i, () -> search(index, workers, queries, perSecond, seed));
          }
          workers.await(() -> workers.now() >= input.warmupSeconds() * NANOS);
          metrics.mark();
          workers.open();
          workers.await(
              () ->
                  index.reopens() >= input.reopens()
                      && workers.sinceOpen(workers.now()) >= input.seconds() * NANOS);
          workers.close();
          metrics.mark();
        } finally {
          workers.join();
        }
        int segments = index.check(input.documents());
        return samples(
            directory.toString(), index, workers, perSecond, segments, metrics.finishParts());
      }
    }
  }

  /**
   * Searches without a pause (a closed loop), in random order. A stall therefore delays few
   * queries: those that users would have asked meanwhile are not counted as late.
   */
  private static void search(
      LiveIndex index,
      Workers workers,
      List<NamedTask> queries,
      AtomicIntegerArray perSecond,
      long seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    LiveIndex.Searches searches = index.new Searches();
    long found = 0;
    while (!workers.isOver()) {
      found += searches.run(queries.get(random.nextInt(queries.size())).task());
      long end = workers.now();
      if (workers.counts(end)) {
        long second = TimeUnit.NANOSECONDS.toSeconds(workers.sinceOpen(end));
        perSecond.incrementAndGet((int) Math.min(MOST_SECONDS - 1, second));
      }
    }
    if (found == Long.MIN_VALUE) {
      throw new AssertionError("never true, but keeps the sum in use");
    }
  }

  private static Samples samples(
      String directory,
      LiveIndex index,
      Workers workers,
      AtomicIntegerArray perSecond,
      int segments,
      Span span) {
    boolean timed = index.own().withSync() > 0;
    Map<Latency, Recorded> latencies = new EnumMap<>(Latency.class);
    for (Latency latency : Latency.values()) {
      Recorded recorded = index.recorded(latency);
      if (recorded.count() > 0 && (timed || latency != Latency.OWN)) {
        latencies.put(latency, recorded);
      }
    }
    int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(workers.length());
    return new Samples(
        directory,
        workers.length() / NANOS,
        latencies,
        IntStream.range(0, seconds).mapToObj(perSecond::get).toList(),
        index.slowestReopens(seconds),
        timed ? index.own() : OwnTime.NONE,
        segments,
        span);
  }

  @Override
  public List<Figures<Samples>> figures(Plan<Input> plan) {
    return List.of(
        group(
            "Reopen",
            "All that the reopening thread does: it flushes what was written, waits for small merges"
                + " as Lucene does by default, opens the new segments, and closes the old reader"
                + " unless a search still holds it. It shares the processors with the searches.",
            percentiles(Latency.REOPEN)),
        group(
            "The directory's own part of a reopen",
            "Wall-clock time of the reopening thread in calls to the directory, its outputs and the"
                + " inputs it opens. Waiting for a lock or a processor is included; flushing,"
                + " compression and merges on other threads are not.",
            percentiles(Latency.OWN)),
        group(
            "Close of an old reader",
            "Releasing the last hold on an old reader, on the thread that happens to do it: files of"
                + " merged segments are closed and deleted. If a search does it, it is part of that"
                + " query's latency too.",
            percentiles(Latency.CLOSE)),
        group(
            "Query latency",
            "From taking the current searcher until it is given back. The searching threads form a"
                + " closed loop, so no queries queue up while a directory stalls, and percentiles"
                + " are milder than for arrivals at a fixed rate. Kinds are mixed: high percentiles"
                + " belong to the slow kinds, unless a stall is longer.",
            percentiles(Latency.QUERY)),
        group(
            "Queries per second",
            "Of all searching threads, over the whole time that was measured.",
            List.of(
                new Figure<>(
                    "queries per second",
                    "queries",
                    "/s",
                    Better.HIGHER,
                    s -> s.perSecond(Latency.QUERY),
                    s -> s.queriesPerSecond().stream().map(Integer::doubleValue).toList()))),
        group(
            "Updates",
            "Documents are replaced by random key at a fixed rate. The lag is the time from an"
                + " update's planned moment until it is done. Late updates are made up for, so a"
                + " rate that cannot be kept shows as fewer updates and a growing lag.",
            updateFigures()),
        group("Commit", "All of IndexWriter.commit.", percentiles(Latency.COMMIT)),
        new Figures<>(
            "Processor time of a reopen",
            "Of the reopening thread, without waiting.",
            Shown.PAGE,
            false,
            percentiles(Latency.CPU)),
        new Figures<>(
            "The directory's own part of a reopen by operation",
            "On average. finish: close of an output; close: of an input; look: listAll, fileLength,"
                + " getPendingDeletions.",
            Shown.PAGE,
            false,
            Arrays.stream(Operation.values()).map(NrtWorkload::own).toList()),
        new Figures<>(
            "The runs",
            "What was measured in a fork, and the segments in the end.",
            Shown.PAGE,
            false,
            List.of(
                told("seconds", "s", Samples::seconds),
                told("reopens", "a fork", s -> s.count(Latency.REOPEN)),
                told("segments", "in the end", Samples::segments))),
        ProcessFigures.of(Samples::span));
  }

  private static Figures<Samples> group(
      String title, String meaning, List<Figure<Samples>> figures) {
    return new Figures<>(title, meaning, Shown.EVERYWHERE, false, figures);
  }

  private static List<Figure<Samples>> percentiles(Latency latency) {
    return Recorded.figures(latency.label(), PERCENTILES, s -> s.latencies().get(latency));
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
        s ->
            s.own().wasMeasured()
                ? Double.valueOf(s.own().of(operation) / MICROS / s.count(Latency.REOPEN))
                : null);
  }

  private static Figure<Samples> told(String task, String unit, ToDoubleFunction<Samples> value) {
    return new Figure<>(task, task, unit, Better.NEITHER, value::applyAsDouble);
  }

  @Override
  public Results complete(Results results, Plan<Input> plan, Map<String, List<Samples>> samples) {
    Map<String, String> directories = Recorded.first(samples, Samples::directory);
    results.environment().put("directories", directories);
    List<Results.Latencies> latencies = new ArrayList<>();
    for (Latency latency : Latency.values()) {
      latencies.addAll(
          Recorded.latencies(name(), latency.label(), samples, s -> s.latencies().get(latency)));
    }
    List<Results.Series> series = new ArrayList<>();
    samples.forEach((label, forks) -> series.add(slowestReopens(label, forks)));
    List<String> hints = new ArrayList<>(PersistentMemory.notes(directories));
    hints.addAll(hints(samples, plan.input().updatesPerSecond()));
    return results.withLatencies(latencies).withSeries(series).noting(hints);
  }

  private Results.Series slowestReopens(String label, List<Samples> forks) {
    int seconds = forks.stream().mapToInt(f -> f.slowestReopens().size()).min().orElse(0);
    List<Results.At> points =
        IntStream.range(0, seconds)
            .mapToObj(
                second ->
                    new Results.At(
                        second + 1,
                        forks.stream()
                            .map(f -> f.slowestReopens().get(second) / MILLIS)
                            .filter(millis -> millis > 0)
                            .toList()))
            .toList();
    return new Results.Series(
        name(), label, "slowest reopen of each second", "seconds", "ms", null, points);
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
                String.format(
                    Locale.ROOT,
                    "%s did not keep the rate of updates: %,.0f of %,d per second.",
                    label,
                    least,
                    asked));
          }
        });
    return hints;
  }
}
