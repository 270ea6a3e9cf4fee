// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
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
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory.OwnTime;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code commit}: commits a few documents at a time, in every directory whose commits last. */
@Command(
    name = "commit",
    description = "Commit every few documents, in Lucene's directories and ours.",
    footer = {
      "",
      "Compares MMapDirectory on the disk of --out (the baseline) and on a tmpfs, PmemDirectory in"
          + " mode EMULATED on the tmpfs and in mode FILE on the disk, and RamDirectory over"
          + " MappedDirectory; with --dax also MMapDirectory and PmemDirectory on persistent"
          + " memory. The report names what this machine does not allow."
    })
public final class CommitWorkload extends Workload<CommitWorkload.CommitSamples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 2.4, 2.8);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.6, 0.8);
  private static final Path TMPFS = Path.of("/dev/shm");
  private static final String FOLDER = "folder";
  private static final String DAX_BASELINE = "MMapDirectory DAX";

  /* Made quickly, with room for the documents of a fork. */
  private static final long POOL_BYTES = 1L << 26;

  /* Enough that commits differ, and read in no time. */
  private static final int MOST_LINES = 10_000;
  private static final int TEXT_IN_MEMORY = 3;

  private static final String WHOLE =
      "All of IndexWriter.commit: flushing the documents added since the last commit, writing the"
          + " segment and the commit, syncing both. Adding the documents is not included. If Lucene"
          + " merges on commit, waiting for the merge is included.";
  private static final String OWN =
      "Wall-clock time of the committing thread in the directory's sync, syncMetaData and rename:"
          + " what makes the commit durable. Waiting for a lock or for a processor is included.";

  private static final double NANOS = 1e9;
  private static final double MICROS = 1e3;
  private static final int FEW = 100;

  private static final List<Kind> KINDS =
      List.of(
          new Kind("MMapDirectory tmpfs", Variants.BASELINE, Place.TMPFS),
          new Kind(
              "PmemDirectory EMULATED tmpfs",
              "PmemDirectory(engine=LLPL, mode=EMULATED)",
              Place.TMPFS),
          new Kind("PmemDirectory FILE", "PmemDirectory(engine=JDK, mode=FILE)", Place.DISK),
          new Kind("RamDirectory-backed", "RamDirectory-backed", Place.DISK),
          new Kind(DAX_BASELINE, Variants.BASELINE, Place.DAX),
          new Kind("PmemDirectory LLPL DAX", "PmemDirectory(engine=LLPL, mode=PMEM)", Place.DAX),
          new Kind("PmemDirectory JDK DAX", "PmemDirectory(engine=JDK, mode=PMEM)", Place.DAX));

  @Mixin private transient TextOptions text = new TextOptions();

  @Option(
      names = "--documents-per-commit",
      split = ",",
      paramLabel = "N",
      description = "sizes of commits (default: ${DEFAULT-VALUE})",
      defaultValue = "1,10,100,1000")
  private List<Integer> documentsPerCommit = List.of();

  @Mixin private transient PersistentMemory dax = new PersistentMemory();

  private PreparedText lines = PreparedText.NONE;

  /** Where the files are: on the disk of {@code --out}, or on persistent memory. */
  private enum Place {
    DISK,
    TMPFS,
    DAX
  }

  private record Kind(String label, String variant, Place place) {}

  record CommitSamples(String directory, List<CommitSize> sizes) {

    CommitSize of(int documents) {
      return sizes.stream().filter(s -> s.documents() == documents).findFirst().orElseThrow();
    }

    Span span() {
      return sizes.stream().map(CommitSize::span).reduce(Span::plus).orElseThrow();
    }
  }

  /** The commits of one size; the span is that of all of them and of adding their documents. */
  record CommitSize(int documents, Recorded whole, Recorded own, Span span) {
    private double speed() {
      return whole.count() * documents / span.seconds();
    }
  }

  @Override
  public Plan plan(Host host) throws IOException {
    documentsPerCommit.forEach(size -> RunOptions.positive("--documents-per-commit", size));
    documentsPerCommit = documentsPerCommit.stream().distinct().toList();
    text.check();
    values = run.values(FULL, QUICK);
    List<Results.Skipped> skipped = new ArrayList<>();
    List<Column> columns = columns(host, skipped);
    lines = PreparedText.prepare(host.workspace(), text.spec(), MOST_LINES);
    return new Plan(
        columns,
        List.of(Variants.BASELINE, DAX_BASELINE),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(lines.bytes() * TEXT_IN_MEMORY, JvmFlags.Collector.SERIAL),
        "Commits in Lucene directories",
        List.of(
            Numbers.text(
                "%s: %,d documents, over and over, without vectors. Lucene's default merging.",
                lines.source(), lines.documents()),
            Numbers.text(
                "One thread commits to one index for each number of documents per commit: %.1f"
                    + " s dropped and, after the directory was closed and opened again, %.1f s"
                    + " measured, shared by these. All documents were found every time.",
                values.warmupSeconds(), values.seconds())),
        Map.of(),
        skipped);
  }

  /** What can be measured here. Each directory is opened once to find out. */
  private List<Column> columns(Host host, List<Results.Skipped> skipped) throws IOException {
    Column baseline = column(host, new Kind(Variants.BASELINE, Variants.BASELINE, Place.DISK));
    List<Column> columns = new ArrayList<>(List.of(baseline, baseline.again()));
    for (Kind kind : KINDS) {
      if (kind.place() == Place.DAX && dax.folder() == null) {
        continue;
      }
      Column column = column(host, kind);
      try {
        if (kind.place() == Place.TMPFS
            && !(Files.isDirectory(TMPFS) && Files.getFileStore(TMPFS).type().equals("tmpfs"))) {
          throw new IOException("not a tmpfs: " + TMPFS);
        }
        if (kind.place() == Place.DAX) {
          PersistentMemory.probe(Objects.requireNonNull(dax.folder()));
        }
        open(column, 0).close();
        columns.add(column);
      } catch (IOException | RuntimeException e) {
        skipped.add(new Results.Skipped(kind.label(), 0, PersistentMemory.reason(e)));
      } finally {
        IOUtils.rm(folder(column));
      }
    }
    return columns;
  }

  private Column column(Host host, Kind kind) {
    String name = host.workspace().name();
    Path folder =
        switch (kind.place()) {
          case DISK -> host.scratch();
          case TMPFS -> TMPFS.resolve(name);
          case DAX -> Objects.requireNonNull(dax.folder()).resolve(name).toAbsolutePath();
        };
    host.workspace().alsoRemove(folder);
    return new Column(kind.label(), kind.variant(), Map.of(FOLDER, folder.toString()));
  }

  private static Path folder(Column column) {
    return Path.of(Objects.requireNonNull(column.settings().get(FOLDER)));
  }

  private static Directory open(Column column, int number) throws IOException {
    Path folder = Files.createDirectories(folder(column).resolve("index-" + number));
    return column.named(Use.COMMIT).open(folder, POOL_BYTES);
  }

  @Override
  public CommitSamples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    try {
      return super.measure(host, plan, column, seed);
    } finally {
      IOUtils.rm(folder(column));
    }
  }

  /**
   * Warms up all sizes, each with a directory and an index of its own, before it measures any, so
   * that the compiler has seen all of them. Each directory is closed and opened in between.
   */
  @Override
  public CommitSamples run(Column column, Fork fork) throws IOException {
    LoadedCorpus corpus = lines.load();
    List<Commits> all = documentsPerCommit.stream().map(size -> new Commits(corpus, size)).toList();
    for (int i = 0; i < all.size(); i++) {
      try (Directory directory = open(column, i)) {
        all.get(i).run(directory, values.warmupSeconds() / all.size());
      }
    }
    List<CommitSize> sizes = new ArrayList<>();
    String name = "";
    for (int i = 0; i < all.size(); i++) {
      try (Directory directory = open(column, i)) {
        sizes.add(all.get(i).run(directory, values.seconds() / all.size()));
        name = directory.toString();
      }
    }
    return new CommitSamples(name, sizes);
  }

  /** Commits of one size to one index. For one thread. */
  private static final class Commits {
    private final LoadedCorpus text;
    private final int size;
    private final IndexBuilder documents = new IndexBuilder(false);
    private int added;

    Commits(LoadedCorpus text, int size) {
      this.text = text;
      this.size = size;
    }

    /** Commits for some time, at least once after a first commit that is not counted. */
    CommitSize run(Directory directory, double seconds) throws IOException {
      // The heap is the same for every size and every directory.
      System.gc();
      TimedDirectory timed = new TimedDirectory(directory);
      Histogram whole = new Histogram(Recorded.DIGITS);
      Histogram own = new Histogram(Recorded.DIGITS);
      Span span;
      // Everything is committed, so closing must not wait for merges.
      IndexWriterConfig config = new IndexWriterConfig(Fields.analyzer()).setCommitOnClose(false);
      try (IndexWriter writer = new IndexWriter(timed, config)) {
        // It meets what an earlier writer left.
        add(writer);
        writer.commit();
        Mark mark = Mark.now();
        do {
          add(writer);
          OwnTime before = timed.ofThisThread();
          long start = System.nanoTime();
          writer.commit();
          whole.recordValue(System.nanoTime() - start);
          own.recordValue(timed.ofThisThread().since(before).durable());
        } while (System.nanoTime() - mark.nanos() < seconds * NANOS);
        span = mark.span();
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        if (reader.numDocs() != added) {
          throw LiveIndex.missing(added, reader.numDocs(), directory);
        }
      }
      return new CommitSize(size, Recorded.of(whole), Recorded.of(own), span);
    }

    private void add(IndexWriter writer) throws IOException {
      for (int i = 0; i < size; i++, added++) {
        writer.addDocument(documents.document(text.line(added), added));
      }
    }
  }

  @Override
  public List<Figures<CommitSamples>> figures(Plan plan) {
    List<Figures<CommitSamples>> all = new ArrayList<>();
    for (String p : List.of("p50", "p99")) {
      all.add(times("Commit", WHOLE, "commit of ", p, CommitSize::whole));
      all.add(
          times(
              "The directory's own part of a commit",
              OWN,
              "own part of commit of ",
              p,
              CommitSize::own));
    }
    all.add(
        Figures.everywhere(
            "Documents per second",
            "Documents per second of one thread that adds and commits in turn.",
            documentsPerCommit.stream()
                .map(
                    n ->
                        new Figure<CommitSamples>(
                            "documents per second by " + n,
                            "by " + n,
                            "docs/s",
                            Better.HIGHER,
                            s -> s.of(n).speed()))
                .toList()));
    all.add(ProcessMetrics.figures(CommitSamples::span));
    return all;
  }

  private Figures<CommitSamples> times(
      String title, String meaning, String task, String p, Function<CommitSize, Recorded> times) {
    return Figures.everywhere(
        title + ", " + p,
        meaning,
        documentsPerCommit.stream()
            .map(
                n ->
                    new Figure<CommitSamples>(
                        task + n + " " + p,
                        "of " + n,
                        "us",
                        Better.LOWER,
                        s -> times.apply(s.of(n)).millis(p) * MICROS))
            .toList());
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<CommitSamples>> samples) {
    List<String> hints = new ArrayList<>();
    for (int n : documentsPerCommit) {
      long fewest = Recorded.fewest(samples, s -> s.of(n).whole());
      if (fewest < FEW) {
        hints.add(
            Numbers.text(
                "With %d documents per commit there are forks with only %d commits: their p99 is"
                    + " the longest one.",
                n, fewest));
      }
    }
    return PersistentMemory.noted(results, samples, CommitSamples::directory).noting(hints);
  }
}
