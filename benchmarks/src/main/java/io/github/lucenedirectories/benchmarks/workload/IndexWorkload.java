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
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessFigures;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code index}: indexes one text into every directory. */
@Command(name = "index", description = "Index one text into Lucene's directories and ours.")
public final class IndexWorkload extends Workload<IndexWorkload.Input, IndexWorkload.Samples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 1, 1.5);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.5, 0.5);
  private static final int QUICK_DOCUMENTS = 8_000;

  /* Lucene's tables for a text, and copies of a file that grows, relative to the text. */
  private static final int HEAP_TEXTS = 5;
  private static final int TEXT_IN_MEMORY = 3;

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e6;
  private static final double MEBIBYTE = 1 << 20;
  private static final int PER_DOCUMENTS = 10_000;
  private static final String PER = " per 10,000 documents";

  @Mixin private TextOptions text = new TextOptions();

  @Mixin private WriteOptions writing = new WriteOptions();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that index (default: ${DEFAULT-VALUE})")
  private int threads = 2;

  @Option(
      names = "--buffer-mb",
      paramLabel = "MB",
      description =
          "documents that IndexWriter gathers before it writes a segment (default:"
              + " ${DEFAULT-VALUE}; Lucene's own is 16, with which the default text has no merge)",
      defaultValue = "2")
  private double bufferMegabytes = 2;

  /**
   * What a fork does.
   *
   * @param text the path of a file of documents
   * @param documents of each run
   * @param warmupSeconds dropped
   * @param seconds measured, at least one run
   */
  record Input(
      String text,
      int documents,
      int threads,
      double bufferMegabytes,
      double warmupSeconds,
      double seconds) {}

  /**
   * What a fork measured.
   *
   * @param span what went on in the process in these runs
   */
  record Samples(List<Once> runs, Span span) {}

  /**
   * One run over the whole text.
   *
   * @param seconds from the opening of the writer until it is closed, merges and commit included
   * @param own the directory's own time on all threads
   * @param segments in the end
   * @param bytes of the index in the end
   */
  record Once(double seconds, OwnTime own, int merges, int segments, long bytes) {}

  @Override
  public Plan<Input> plan(Host host) throws IOException {
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--buffer-mb", bufferMegabytes);
    text.check();
    RunOptions.Defaults values = run.values(FULL, QUICK);
    List<Column> columns = writing.columns(Variants.BASELINE, List.of());
    PreparedText prepared =
        PreparedText.prepare(
            host.workspace(), text.spec(), run.isQuick() ? QUICK_DOCUMENTS : Integer.MAX_VALUE);
    int documents = Math.multiplyExact(prepared.documents(), text.spec().copies());
    long heapBytes =
        prepared.bytes() * TEXT_IN_MEMORY
            + (WriteOptions.useHeap(columns)
                ? prepared.bytes() * text.spec().copies() * HEAP_TEXTS
                : 0);
    return new Plan<>(
        new Input(
            prepared.file(),
            documents,
            threads,
            bufferMegabytes,
            values.warmupSeconds(),
            values.seconds()),
        columns,
        List.of(Variants.BASELINE, "ByteBuffersDirectory"),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(heapBytes, JvmFlags.Collector.SERIAL),
        new Plan.Page(
            "Indexing into Lucene directories",
            List.of(
                Numbers.text("%s: %,d documents, without vectors.", prepared.source(), documents),
                Numbers.text(
                    "Each fork indexes the whole text into one directory over and over: %.1f s"
                        + " dropped, then %.1f s measured, at least one run. %d threads, %.0f MB"
                        + " buffered. All documents were found after every run.",
                    values.warmupSeconds(), values.seconds(), threads, bufferMegabytes)),
            Map.of("text", prepared),
            List.of()));
  }

  /**
   * Indexes over and over, each time after all files were deleted: so the warm-up pays for the
   * first touch of memory as it does for the compiler. Garbage of a run is collected before the
   * next.
   */
  @Override
  public Samples run(Input input, Column column, Fork fork) throws IOException {
    LoadedCorpus corpus = LoadedCorpus.read(Path.of(input.text()));
    Variant variant = Variants.named(column.variant(), Use.WRITE);
    try (Directory directory = variant.open(fork.folder(variant), Sizes.DEFAULT);
        ProcessMetrics metrics = new ProcessMetrics()) {
      if (input.warmupSeconds() > 0) {
        runs(input, corpus, directory, input.warmupSeconds(), () -> {});
      }
      List<Once> runs = runs(input, corpus, directory, input.seconds(), metrics::mark);
      return new Samples(runs, metrics.finishParts());
    }
  }

  /** Runs for a time. {@code edge} runs right before and right after each. */
  private static List<Once> runs(
      Input input, LoadedCorpus corpus, Directory directory, double seconds, Runnable edge)
      throws IOException {
    List<Once> runs = new ArrayList<>();
    long start = System.nanoTime();
    while (runs.isEmpty() || System.nanoTime() - start < seconds * NANOS) {
      System.gc();
      edge.run();
      DirectoryTimer timer = new DirectoryTimer();
      runs.add(once(input, corpus, new TimedDirectory(directory, timer), timer));
      edge.run();
      for (String name : directory.listAll()) {
        directory.deleteFile(name);
      }
    }
    return runs;
  }

  private static Once once(
      Input input, LoadedCorpus corpus, Directory directory, DirectoryTimer timer)
      throws IOException {
    AtomicInteger merges = new AtomicInteger();
    IndexWriterConfig config =
        new IndexWriterConfig(Fields.analyzer())
            .setOpenMode(OpenMode.CREATE)
            .setRAMBufferSizeMB(input.bufferMegabytes())
            .setMergeScheduler(
                new ConcurrentMergeScheduler() {
                  @Override
                  protected void doMerge(MergeSource source, MergePolicy.OneMerge merge)
                      throws IOException {
                    merges.incrementAndGet();
                    super.doMerge(source, merge);
                  }
                });
    long start = System.nanoTime();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      addAll(input, corpus, writer);
    }
    double seconds = (System.nanoTime() - start) / NANOS;
    OwnTime own = timer.ofAllThreads();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      if (reader.numDocs() != input.documents()) {
        throw LiveIndex.missing(input.documents(), reader.numDocs(), directory);
      }
      long bytes = 0;
      for (String name : directory.listAll()) {
        bytes += directory.fileLength(name);
      }
      return new Once(seconds, own, merges.get(), reader.leaves().size(), bytes);
    }
  }

  private static void addAll(Input input, LoadedCorpus corpus, IndexWriter writer)
      throws IOException {
    IndexBuilder documents = new IndexBuilder(false);
    AtomicInteger next = new AtomicInteger();
    Callable<Integer> share =
        () -> {
          int i = next.getAndIncrement();
          for (; i < input.documents(); i = next.getAndIncrement()) {
            writer.addDocument(documents.document(corpus.line(i), i));
          }
          return i;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(input.threads())) {
      Workers.invokeAll(threads, Collections.nCopies(input.threads(), share));
    }
  }

  @Override
  public List<Figures<Samples>> figures(Plan<Input> plan) {
    int documents = plan.input().documents();
    return List.of(
        Figures.everywhere(
            "Speed of indexing",
            "Documents per second of a whole run: from opening the writer until it is closed, with"
                + " flushes, merges and the final commit. Without sync: the same without the time"
                + " of the commit's sync, which measures the disk.",
            List.of(
                figure(
                    "documents per second",
                    "whole",
                    "docs/s",
                    Better.HIGHER,
                    r -> documents / r.seconds()),
                figure(
                    "documents per second without sync",
                    "without sync",
                    "docs/s",
                    Better.HIGHER,
                    r -> documents / (r.seconds() - r.own().of(Operation.SYNC) / NANOS)))),
        Figures.everywhere(
            "The directory's own time per 10,000 documents",
            "Wall-clock time of the calls to the directory, its outputs and the inputs it opens,"
                + " added up over all threads. Sync is separate. Analysis, sorting, compression and"
                + " reads by merges are not included.",
            List.of(
                own("own time" + PER, "own", Better.LOWER, documents, OwnTime::withoutSync),
                own(
                    "sync time" + PER,
                    "sync",
                    Better.NEITHER,
                    documents,
                    o -> o.of(Operation.SYNC)))),
        Figures.onPage(
            "The directory's own time by operation",
            "Per 10,000 documents. finish: close of an output; close: of an input; look: listAll,"
                + " fileLength, getPendingDeletions.",
            Arrays.stream(Operation.values())
                .map(o -> own("own " + o.label(), o.label(), Better.LOWER, documents, t -> t.of(o)))
                .toList()),
        Figures.onPage(
            "The runs",
            "What went on in a run.",
            List.of(
                Figure.told("runs", "in a fork", s -> (double) s.runs().size()),
                figure("merges", "merges", "a run", Better.NEITHER, Once::merges),
                figure("segments", "segments", "in the end", Better.NEITHER, Once::segments),
                figure("size", "size", "MiB", Better.NEITHER, r -> r.bytes() / MEBIBYTE))),
        ProcessFigures.of(Samples::span));
  }

  private static Figure<Samples> own(
      String task, String heading, Better better, int documents, ToDoubleFunction<OwnTime> nanos) {
    double by = MILLIS * documents / PER_DOCUMENTS;
    return figure(task, heading, "ms", better, r -> nanos.applyAsDouble(r.own()) / by);
  }

  /** The median over a fork's runs. */
  private static Figure<Samples> figure(
      String task, String heading, String unit, Better better, ToDoubleFunction<Once> value) {
    Function<Samples, List<Double>> parts =
        s -> s.runs().stream().map(value::applyAsDouble).toList();
    return new Figure<>(task, heading, unit, better, s -> Medians.of(parts.apply(s)), parts);
  }
}
