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
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
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
          + " MappedDirectory; with --dax also MMapDirectory and PmemDirectory on persistent memory."
          + " The report names what this machine does not allow."
    })
public final class CommitWorkload extends Workload<CommitWorkload.Input, CommitWorkload.Samples> {
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

  @Mixin private TextOptions text = new TextOptions();

  @Option(
      names = "--documents-per-commit",
      split = ",",
      paramLabel = "N",
      description = "sizes of commits (default: ${DEFAULT-VALUE})",
      defaultValue = "1,10,100,1000")
  private List<Integer> documentsPerCommit = List.of();

  @Mixin private PersistentMemory dax = new PersistentMemory();

  /** Where the files are. */
  enum Place {
    /** On the file system of {@code --out}. */
    DISK,
    TMPFS,
    /** On persistent memory. */
    DAX
  }

  private record Kind(String label, String variant, Place place) {}

  /**
   * What a fork does.
   *
   * @param text the path of a file of documents
   * @param documentsPerCommit the sizes of commits, each with an index of its own
   * @param warmupSeconds dropped, shared by the sizes
   * @param seconds measured, shared by the sizes
   */
  record Input(
      String text, List<Integer> documentsPerCommit, double warmupSeconds, double seconds) {}

  /**
   * What a fork measured.
   *
   * @param directory what the directory says of itself
   */
  record Samples(String directory, List<Size> sizes, Span span) {

    Size of(int documents) {
      return sizes.stream().filter(s -> s.documents() == documents).findFirst().orElseThrow();
    }
  }

  /**
   * The commits of one size.
   *
   * @param first after the directory was opened; not among the others
   * @param whole time of each call
   * @param own time of the directory's own part of each
   * @param nanos of all commits and of adding their documents
   * @param all the directory's time on the committing thread, in all commits together
   */
  record Size(int documents, Commit first, Recorded whole, Recorded own, long nanos, OwnTime all) {}

  /**
   * One commit.
   *
   * @param addNanos for adding its documents
   * @param nanos of the call
   * @param all of that, what was spent in the directory
   */
  record Commit(long addNanos, long nanos, OwnTime all) {

    /** What makes the commit durable. */
    long ownNanos() {
      return all.of(Operation.SYNC) + all.of(Operation.RENAME);
    }
  }

  @Override
  public Plan<Input> plan(Host host) throws IOException {
    documentsPerCommit.forEach(size -> RunOptions.positive("--documents-per-commit", size));
    text.check();
    RunOptions.Defaults values = run.values(FULL, QUICK);
    List<Results.Skipped> skipped = new ArrayList<>();
    List<Column> columns = columns(host, skipped);
    PreparedText prepared = PreparedText.prepare(host.workspace(), text.spec(), MOST_LINES);
    List<Integer> sizes = documentsPerCommit.stream().distinct().toList();
    return new Plan<>(
        new Input(prepared.file(), sizes, values.warmupSeconds(), values.seconds()),
        columns,
        List.of(Variants.BASELINE, DAX_BASELINE),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(prepared.bytes() * TEXT_IN_MEMORY, JvmFlags.Collector.SERIAL),
        new Plan.Page(
            "Commits in Lucene directories",
            List.of(
                Numbers.text(
                    "%s: %,d documents, over and over, without vectors. Lucene's default merging.",
                    prepared.source(), prepared.documents()),
                Numbers.text(
                    "One thread commits to one index for each number of documents per commit: %.1f"
                        + " s dropped and, after the directory was closed and opened again, %.1f s"
                        + " measured, shared by these. All documents were found every time.",
                    values.warmupSeconds(), values.seconds())),
            Map.of("text", prepared),
            skipped));
  }

  /** What can be measured here. Each directory is opened once to find out. */
  private List<Column> columns(Host host, List<Results.Skipped> skipped) throws IOException {
    Column baseline = column(host, new Kind(Variants.BASELINE, Variants.BASELINE, Place.DISK));
    List<Column> columns = new ArrayList<>(List.of(baseline, baseline.again()));
    for (Kind kind : KINDS) {
      if (kind.place() != Place.DAX || dax.folder() != null) {
        Column column = column(host, kind);
        try {
          check(kind.place());
          open(column, 0).close();
          columns.add(column);
        } catch (IOException | RuntimeException e) {
          skipped.add(new Results.Skipped(kind.label(), 0, PersistentMemory.reason(e)));
        } finally {
          Workspace.deleteTree(folder(column));
        }
      }
    }
    return columns;
  }

  private void check(Place place) throws IOException {
    if (place == Place.TMPFS
        && !(Files.isDirectory(TMPFS) && Files.getFileStore(TMPFS).type().equals("tmpfs"))) {
      throw new IOException("not a tmpfs: " + TMPFS);
    }
    if (place == Place.DAX) {
      PersistentMemory.probe(Objects.requireNonNull(dax.folder()));
    }
  }

  private Column column(Host host, Kind kind) {
    Path folder =
        switch (kind.place()) {
          case DISK -> host.scratch();
          case TMPFS -> TMPFS.resolve(host.workspace().name());
          case DAX -> Objects.requireNonNull(dax.folder()).resolve(host.workspace().name());
        };
    host.workspace().alsoRemove(folder);
    return new Column(
        kind.label(), kind.variant(), Map.of(FOLDER, folder.toAbsolutePath().toString()));
  }

  private static Path folder(Column column) {
    return Path.of(Objects.requireNonNull(column.settings().get(FOLDER)));
  }

  private static Directory open(Column column, int number) throws IOException {
    Path folder = Files.createDirectories(folder(column).resolve("index-" + number));
    return Variants.named(column.variant(), Use.COMMIT)
        .open(folder, Sizes.DEFAULT.withPoolBytes(POOL_BYTES));
  }

  @Override
  public Samples measure(Host host, Plan<Input> plan, Column column, long seed) throws IOException {
    try {
      return super.measure(host, plan, column, seed);
    } finally {
      Workspace.deleteTree(folder(column));
    }
  }

  /**
   * Warms up all sizes, each with a directory and an index of its own, before it measures any, so
   * that the compiler has seen all of them. Each directory is closed and opened in between.
   */
  @Override
  public Samples run(Input input, Column column, Fork fork) throws IOException {
    LoadedCorpus corpus = LoadedCorpus.read(Path.of(input.text()));
    List<Commits> all =
        input.documentsPerCommit().stream().map(size -> new Commits(corpus, size)).toList();
    try (ProcessMetrics metrics = new ProcessMetrics()) {
      for (int i = 0; i < all.size(); i++) {
        try (Directory directory = open(column, i)) {
          all.get(i).run(directory, input.warmupSeconds() / all.size(), () -> {});
        }
      }
      List<Size> sizes = new ArrayList<>();
      String name = "";
      for (int i = 0; i < all.size(); i++) {
        try (Directory directory = open(column, i)) {
          sizes.add(all.get(i).run(directory, input.seconds() / all.size(), metrics::mark));
          name = directory.toString();
        }
      }
      return new Samples(name, sizes, metrics.finishParts());
    }
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

    /** Commits for some time, at least twice. {@code edge} runs right before and right after. */
    Size run(Directory directory, double seconds, Runnable edge) throws IOException {
      // The heap is the same for every size and every directory.
      System.gc();
      DirectoryTimer timer = new DirectoryTimer();
      Histogram whole = new Histogram(EncodedHistogram.DIGITS);
      Histogram own = new Histogram(EncodedHistogram.DIGITS);
      OwnTime all = OwnTime.NONE;
      Commit first;
      long nanos = 0;
      // Everything is committed, so closing must not wait for merges.
      IndexWriterConfig config = new IndexWriterConfig(Fields.analyzer()).setCommitOnClose(false);
      try (IndexWriter writer = new IndexWriter(new TimedDirectory(directory, timer), config)) {
        edge.run();
        first = commit(writer, timer);
        long start = System.nanoTime();
        do {
          Commit commit = commit(writer, timer);
          whole.recordValue(commit.nanos());
          own.recordValue(commit.ownNanos());
          nanos += commit.addNanos() + commit.nanos();
          all = all.plus(commit.all());
        } while (System.nanoTime() - start < seconds * NANOS);
        edge.run();
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        if (reader.numDocs() != added) {
          throw LiveIndex.missing(added, reader.numDocs(), directory);
        }
      }
      return new Size(size, first, Recorded.of(whole), Recorded.of(own), nanos, all);
    }

    private Commit commit(IndexWriter writer, DirectoryTimer timer) throws IOException {
      long start = System.nanoTime();
      for (int i = 0; i < size; i++, added++) {
        writer.addDocument(documents.document(text.line(added), added));
      }
      long addedAt = System.nanoTime();
      OwnTime before = timer.ofThisThread();
      long committing = System.nanoTime();
      writer.commit();
      long end = System.nanoTime();
      return new Commit(addedAt - start, end - committing, timer.ofThisThread().since(before));
    }
  }

  @Override
  public List<Figures<Samples>> figures(Plan<Input> plan) {
    List<Integer> sizes = plan.input().documentsPerCommit();
    String whole =
        "All of IndexWriter.commit: flushing the documents added since the last commit, writing the"
            + " segment and the commit, syncing both. Adding the documents is not included. If"
            + " Lucene merges on commit, waiting for the merge is included.";
    String own =
        "Wall-clock time of the committing thread in the directory's sync, syncMetaData and rename:"
            + " what makes the commit durable. Waiting for a lock or for a processor is included.";
    String first =
        "The first commit after the directory was opened on what an earlier writer left. One in"
            + " each fork.";
    List<Figures<Samples>> all = new ArrayList<>();
    for (String p : List.of("p50", "p99")) {
      String task = "commit of %d " + p;
      all.add(group("Commit, " + p, whole, sizes, task, p, s -> nanos(s.whole(), p)));
    }
    for (String p : List.of("p50", "p99")) {
      String title = "The directory's own part of a commit, " + p;
      String task = "own part of commit of %d " + p;
      all.add(group(title, own, sizes, task, "own " + p, s -> nanos(s.own(), p)));
    }
    all.add(
        Figures.everywhere(
            "Documents per second",
            "Documents per second of one thread that adds and commits in turn.",
            sizes.stream().map(CommitWorkload::speed).toList()));
    all.add(
        group(
            "The first commit after an open",
            first,
            sizes,
            "first commit of %d",
            "first",
            s -> s.first().nanos()));
    all.add(
        group(
            "The directory's own part of the first commit after an open",
            first,
            sizes,
            "own part of first commit of %d",
            "first own",
            s -> s.first().ownNanos()));
    for (int n : sizes) {
      all.add(
          Figures.onPage(
              "The directory's time in commits by operation, documents per commit: " + n,
              "Time of the committing thread in calls to the directory, on average. finish: close"
                  + " of an output; close: of an input; look: listAll, fileLength,"
                  + " getPendingDeletions; sync: with syncMetaData.",
              Arrays.stream(Operation.values()).map(o -> operation(o, n)).toList()));
    }
    all.add(
        Figures.onPage(
            "The runs",
            "Commits measured in a fork.",
            sizes.stream()
                .map(
                    n ->
                        Figure.<Samples>told(
                            "commits of " + n, "commits", s -> (double) s.of(n).whole().count()))
                .toList()));
    all.add(ProcessFigures.of(Samples::span));
    return all;
  }

  /**
   * A time for each size of commits.
   *
   * @param task its name, with a place for the size
   */
  private static Figures<Samples> group(
      String title,
      String meaning,
      List<Integer> sizes,
      String task,
      String heading,
      ToDoubleFunction<Size> nanos) {
    return Figures.everywhere(
        title,
        meaning,
        sizes.stream()
            .map(n -> time(Numbers.text(task, n), heading + " of " + n, n, nanos))
            .toList());
  }

  private static Figure<Samples> speed(int n) {
    return new Figure<>(
        "documents per second by " + n,
        "by " + n,
        "docs/s",
        Better.HIGHER,
        s -> s.of(n).whole().count() * n / (s.of(n).nanos() / NANOS));
  }

  private static Figure<Samples> operation(Operation operation, int n) {
    return time(
        "own part of commit of " + n + ", " + operation.label(),
        operation.label(),
        n,
        s -> (double) s.all().of(operation) / s.whole().count());
  }

  private static double nanos(Recorded recorded, String percentile) {
    return recorded.nanos().get(Recorded.LABELS.indexOf(percentile));
  }

  private static Figure<Samples> time(
      String task, String heading, int documents, ToDoubleFunction<Size> nanos) {
    return new Figure<>(
        task, heading, "us", Better.LOWER, s -> nanos.applyAsDouble(s.of(documents)) / MICROS);
  }

  @Override
  public Results complete(Results results, Plan<Input> plan, Map<String, List<Samples>> samples) {
    Map<String, String> directories = Recorded.first(samples, Samples::directory);
    results.environment().put("directories", directories);
    List<Results.Latencies> latencies = new ArrayList<>();
    List<String> hints = new ArrayList<>(PersistentMemory.notes(directories));
    for (int n : plan.input().documentsPerCommit()) {
      latencies.addAll(Recorded.latencies(name(), "commit of " + n, samples, s -> s.of(n).whole()));
      latencies.addAll(
          Recorded.latencies(name(), "own part of commit of " + n, samples, s -> s.of(n).own()));
      long fewest =
          samples.values().stream()
              .flatMap(List::stream)
              .mapToLong(s -> s.of(n).whole().count())
              .min()
              .orElse(FEW);
      if (fewest < FEW) {
        hints.add(
            "With "
                + n
                + " documents per commit there are forks with only "
                + fewest
                + " commits: their p99 is the longest one.");
      }
    }
    return results.withLatencies(latencies).noting(hints);
  }
}
