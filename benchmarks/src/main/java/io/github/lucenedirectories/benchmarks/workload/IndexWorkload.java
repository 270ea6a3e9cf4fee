// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory.OwnTime;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code index}: indexes one text into every directory. */
@Command(name = "index", description = "Index one text into Lucene's directories and ours.")
public final class IndexWorkload extends Workload<IndexWorkload.Samples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 1, 1.5);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.5, 0.5);
  private static final int QUICK_DOCUMENTS = 8_000;

  /* Less than IndexWriter gathers by default, so that there are merges. */
  private static final double BUFFER_MEGABYTES = 2;

  /* Lucene's tables for a text, and copies of a file that grows, relative to the text. */
  private static final int HEAP_TEXTS = 5;
  private static final int TEXT_IN_MEMORY = 3;

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e6;
  private static final double MEBIBYTE = 1 << 20;
  private static final int PER_DOCUMENTS = 10_000;
  private static final String PER = " per 10,000 documents";

  @Mixin private transient TextOptions text = new TextOptions();

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Option(names = "--threads", paramLabel = "N", description = "threads that index (default: 2)")
  private int threads = 2;

  private PreparedText lines = PreparedText.NONE;
  private int documents;

  record Samples(List<Once> runs, Span span) {}

  /** One run over the whole text, from the opening of the writer until it is closed. */
  record Once(double seconds, OwnTime own, int segments, long bytes) {}

  @Override
  public Plan plan(Host host) throws IOException {
    RunOptions.positive("--threads", threads);
    text.check();
    values = run.values(FULL, QUICK);
    List<Column> columns = directories.columns(Variants.BASELINE, List.of(), Use.WRITE);
    int most = run.isQuick() ? QUICK_DOCUMENTS : Integer.MAX_VALUE;
    lines = PreparedText.prepare(host.workspace(), text.spec(), most);
    documents = Math.multiplyExact(lines.documents(), text.spec().copies());
    long indexed =
        DirectorySelection.useHeap(columns, Use.WRITE)
            ? (long) text.spec().copies() * HEAP_TEXTS
            : 0;
    return new Plan(
        columns,
        List.of(Variants.BASELINE, "ByteBuffersDirectory"),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(lines.bytes() * (TEXT_IN_MEMORY + indexed), JvmFlags.Collector.SERIAL),
        "Indexing into Lucene directories",
        List.of(
            Numbers.text("%s: %,d documents, without vectors.", lines.source(), documents),
            Numbers.text(
                "Each fork indexes the whole text into one directory over and over: %.1f s"
                    + " dropped, then %.1f s measured, at least one run. %d threads, %.0f MB"
                    + " buffered. All documents were found after every run.",
                values.warmupSeconds(), values.seconds(), threads, BUFFER_MEGABYTES)),
        Map.of(),
        List.of());
  }

  /** Deletes all files before each run, so that the warm-up pays for the first touch of memory. */
  @Override
  public Samples run(Column column, Fork fork) throws IOException {
    LoadedCorpus corpus = lines.load();
    Variant variant = column.named(Use.WRITE);
    ProcessMetrics metrics = new ProcessMetrics();
    try (Directory directory = variant.open(fork.folder(variant), Sizes.DEFAULT)) {
      if (values.warmupSeconds() > 0) {
        runs(corpus, directory, values.warmupSeconds(), () -> {});
      }
      List<Once> runs = runs(corpus, directory, values.seconds(), metrics::mark);
      return new Samples(runs, metrics.finishParts());
    }
  }

  /** Runs for a time. {@code edge} runs right before and right after each. */
  private List<Once> runs(LoadedCorpus corpus, Directory directory, double seconds, Runnable edge)
      throws IOException {
    List<Once> runs = new ArrayList<>();
    long start = System.nanoTime();
    while (runs.isEmpty() || System.nanoTime() - start < seconds * NANOS) {
      System.gc();
      edge.run();
      runs.add(once(corpus, new TimedDirectory(directory)));
      edge.run();
      for (String name : directory.listAll()) {
        directory.deleteFile(name);
      }
    }
    return runs;
  }

  private Once once(LoadedCorpus corpus, TimedDirectory directory) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(Fields.analyzer())
            .setOpenMode(OpenMode.CREATE)
            .setRAMBufferSizeMB(BUFFER_MEGABYTES);
    long start = System.nanoTime();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      addAll(corpus, writer);
    }
    double seconds = (System.nanoTime() - start) / NANOS;
    OwnTime own = directory.ofAllThreads();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      if (reader.numDocs() != documents) {
        throw LiveIndex.missing(documents, reader.numDocs(), directory);
      }
      long bytes = ExistingIndex.bytes(directory, List.of(directory.listAll()));
      return new Once(seconds, own, reader.leaves().size(), bytes);
    }
  }

  private void addAll(LoadedCorpus corpus, IndexWriter writer) throws IOException {
    IndexBuilder builder = new IndexBuilder(false);
    AtomicInteger next = new AtomicInteger();
    Callable<Integer> share =
        () -> {
          int i = next.getAndIncrement();
          for (; i < documents; i = next.getAndIncrement()) {
            writer.addDocument(builder.document(corpus.line(i), i));
          }
          return i;
        };
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      Workers.invokeAll(pool, Collections.nCopies(threads, share));
    }
  }

  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    return List.of(
        Figures.everywhere(
            "Speed of indexing",
            "Documents per second of a whole run: from opening the writer until it is closed, with"
                + " flushes, merges and the final commit. Without sync: the same without the time"
                + " of the commit's sync, which measures the disk.",
            List.of(
                figure("documents per second", "whole", "docs/s", Better.HIGHER, r -> speed(r, 0)),
                figure(
                    "documents per second without sync",
                    "without sync",
                    "docs/s",
                    Better.HIGHER,
                    r -> speed(r, r.own().sync())))),
        Figures.everywhere(
            "The directory's own time per 10,000 documents",
            "Wall-clock time of the calls to the directory, its outputs and the inputs it opens,"
                + " added up over all threads. Sync is separate. Analysis, sorting, compression and"
                + " reads by merges are not included.",
            List.of(
                figure(
                    "own time" + PER,
                    "own",
                    "ms",
                    Better.LOWER,
                    r -> millis(r.own().withoutSync())),
                figure(
                    "sync time" + PER, "sync", "ms", Better.NEITHER, r -> millis(r.own().sync())))),
        Figures.onPage(
            "The runs",
            "What went on in a run.",
            List.of(
                Figure.told("runs", "in a fork", s -> (double) s.runs().size()),
                figure("segments", "segments", "in the end", Better.NEITHER, Once::segments),
                figure("size", "size", "MiB", Better.NEITHER, r -> r.bytes() / MEBIBYTE))),
        ProcessMetrics.figures(Samples::span));
  }

  private double speed(Once run, long withoutNanos) {
    return documents / (run.seconds() - withoutNanos / NANOS);
  }

  private double millis(long nanos) {
    return nanos / MILLIS / documents * PER_DOCUMENTS;
  }

  private static List<Double> parts(Samples samples, ToDoubleFunction<Once> value) {
    return samples.runs().stream().map(value::applyAsDouble).toList();
  }

  /** The median over a fork's runs. */
  private static Figure<Samples> figure(
      String task, String heading, String unit, Better better, ToDoubleFunction<Once> value) {
    return new Figure<>(
        task, heading, unit, better, s -> Medians.of(parts(s, value)), s -> parts(s, value));
  }
}
