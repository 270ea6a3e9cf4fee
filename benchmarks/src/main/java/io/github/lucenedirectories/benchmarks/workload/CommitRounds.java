// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DeviceCounts;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Mark;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory.OwnTime;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOFunction;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * The fork of {@code commit}. In a round all directories take turns for each way to commit, in a
 * new order and each with new indexes: what slows the machine for a while slows neighbours alike.
 *
 * @param recoveryBytes the size of a journal that is filled and recovered in each round; 0 for none
 */
record CommitRounds(
    PreparedText lines,
    List<Column> columns,
    List<Way> ways,
    long recoveryBytes,
    RunOptions.Defaults values,
    long seed)
    implements Fork.Job<String> {

  /** The event with what a {@link Round} found. */
  static final String ROUND = "round";

  /** The setting of the folder that the files of a column are in. */
  static final String FOLDER = "folder";

  /** The setting of a column whose indexes share a commit journal. */
  static final String JOURNAL = "journal";

  /* Of a new pool: made quickly, with room for the documents of a turn. */
  private static final long POOL_BYTES = 1L << 26;

  /* So that reopens meet files that a commit has made durable meanwhile. */
  private static final int REOPENS_PER_COMMIT = 100;

  /* Of the text of a commit: its files are nearly as large as those in a journal may be. */
  private static final int COMMIT_BYTES = 1 << 19;

  /* Of a journal: the rest is kept for what needs no room of its own. */
  private static final double FULL = 0.85;

  private static final int MEBIBYTE = 1 << 20;
  private static final double NANOS = 1e9;

  /** So many documents in each commit, to so many indexes at once. */
  record Way(int documents, int indexes) {
    @Override
    public String toString() {
      return documents + (indexes == 1 ? "" : " in " + indexes + " indexes");
    }
  }

  /** By the labels of columns. */
  record Round(Map<String, CommitSamples> columns) {}

  /** Seconds of a recovery; and of reading the journal and writing its bytes to files once. */
  record Recovery(double seconds, double copySeconds) {}

  record CommitSamples(List<Commits> commits, Recorded reopens, @Nullable Recovery recovery) {

    Commits of(Way way) {
      return commits.stream().filter(c -> c.way().equals(way)).findFirst().orElseThrow();
    }

    String directory() {
      return commits.getFirst().directory();
    }

    Span span() {
      return commits.stream().map(Commits::span).reduce(Span::plus).orElseThrow();
    }
  }

  /**
   * The commits of one way, and the adding of their documents.
   *
   * @param own what makes a commit durable
   * @param device what the disk did in this span, and until nothing was left to write
   */
  record Commits(
      Way way,
      String directory,
      Recorded whole,
      Recorded own,
      Span span,
      @Nullable DeviceCounts device,
      @Nullable DeviceCounts settled) {

    double perSecond() {
      return whole.count() / span.seconds();
    }

    @Nullable Double perCommit(
        @Nullable DeviceCounts counts, ToDoubleFunction<DeviceCounts> count) {
      return counts == null ? null : Double.valueOf(count.applyAsDouble(counts) / whole.count());
    }
  }

  /** Warms up, and then measures a round each time the parent asks for one, until it ends this. */
  @Override
  public String run(Fork fork) throws IOException {
    LoadedCorpus text = lines.load();
    Random random = new Random(seed);
    round(text, random, values.warmupSeconds(), false);
    while (true) {
      fork.await();
      fork.send(ROUND, round(text, random, values.seconds(), recoveryBytes > 0));
    }
  }

  private Round round(LoadedCorpus text, Random random, double seconds, boolean recovers)
      throws IOException {
    double share = seconds / (ways.size() + 1);
    Map<String, List<Commits>> commits = new HashMap<>();
    List<Column> order = new ArrayList<>(columns);
    for (Way way : ways) {
      Collections.shuffle(order, random);
      for (Column column : order) {
        commits
            .computeIfAbsent(column.label(), _ -> new ArrayList<>())
            .add(turn(column, folder -> commits(column, way, text, share, folder)));
      }
    }
    Map<String, CommitSamples> samples = new HashMap<>();
    for (Column column : order) {
      List<Commits> all = Objects.requireNonNull(commits.get(column.label()));
      Recorded reopens = turn(column, _ -> reopens(column, text, share));
      boolean hasJournal = column.settings().containsKey(JOURNAL);
      Recovery recovery =
          recovers && hasJournal ? turn(column, folder -> recovery(folder, text)) : null;
      samples.put(column.label(), new CommitSamples(all, reopens, recovery));
    }
    return new Round(samples);
  }

  /** Does something with an empty folder; the heap is the same for every turn. */
  private static <T> T turn(Column column, IOFunction<Path, T> step) throws IOException {
    System.gc();
    Path folder = Files.createDirectories(folder(column));
    try {
      return step.apply(folder);
    } finally {
      IOUtils.rm(folder);
    }
  }

  static Path folder(Column column) {
    return Path.of(Objects.requireNonNull(column.settings().get(FOLDER)));
  }

  private static @Nullable CommitJournal journal(Column column) throws IOException {
    return column.settings().containsKey(JOURNAL)
        ? CommitJournal.open(folder(column).resolve(JOURNAL))
        : null;
  }

  static Directory open(Column column, @Nullable CommitJournal journal, int number)
      throws IOException {
    Path folder = Files.createDirectories(folder(column).resolve("index-" + number));
    return journal == null
        ? column.named(Use.COMMIT).open(folder, POOL_BYTES)
        : new NrtCacheDirectory(new HybridDirectory(folder), journal);
  }

  private static Commits commits(
      Column column, Way way, LoadedCorpus text, double seconds, Path folder) throws IOException {
    List<Directory> directories = new ArrayList<>();
    try (CommitJournal journal = journal(column);
        Closeable _ = () -> IOUtils.close(directories)) {
      for (int i = 0; i < way.indexes(); i++) {
        directories.add(open(column, journal, i));
      }
      IORunnable checkpoint = journal == null ? () -> {} : journal::checkpoint;
      return commits(directories, way, text, seconds, folder, checkpoint);
    }
  }

  /** Commits to all directories at once for some time, one thread each, at least once. */
  static Commits commits(
      List<Directory> directories,
      Way way,
      LoadedCorpus text,
      double seconds,
      Path folder,
      IORunnable checkpoint)
      throws IOException {
    Histogram whole = new ConcurrentHistogram(Recorded.DIGITS);
    Histogram own = new ConcurrentHistogram(Recorded.DIGITS);
    List<Committer> committers = new ArrayList<>();
    try (Closeable _ = () -> IOUtils.close(committers)) {
      for (Directory directory : directories) {
        // The first commit is not like the others.
        committers.add(new Committer(directory, text, new IndexWriterConfig(Fields.analyzer())));
        committers.getLast().commit(way.documents());
      }
      DeviceCounts.settle(folder);
      DeviceCounts before = DeviceCounts.of(folder);
      Mark mark = Mark.now();
      Workers workers = new Workers();
      for (Committer committer : committers) {
        workers.start(
            "committer",
            () -> {
              do {
                committer.commit(way.documents());
                whole.recordValue(committer.nanos);
                own.recordValue(committer.ownNanos);
              } while (workers.now() < seconds * NANOS);
            });
      }
      workers.join();
      Span span = mark.span();
      DeviceCounts after = DeviceCounts.of(folder);
      checkpoint.run();
      DeviceCounts.settle(folder);
      DeviceCounts settled = DeviceCounts.of(folder);
      for (Committer committer : committers) {
        check(committer.directory, committer.added);
      }
      return new Commits(
          way,
          directories.getFirst().toString(),
          Recorded.of(whole),
          Recorded.of(own),
          span,
          DeviceCounts.between(before, after),
          DeviceCounts.between(before, settled));
    }
  }

  private static Recorded reopens(Column column, LoadedCorpus text, double seconds)
      throws IOException {
    Histogram times = new Histogram(Recorded.DIGITS);
    try (CommitJournal journal = journal(column);
        Directory directory = open(column, journal, 0);
        Committer committer =
            new Committer(directory, text, new IndexWriterConfig(Fields.analyzer()));
        SearcherManager searchers = new SearcherManager(committer.writer, null)) {
      Workers clock = new Workers();
      do {
        committer.add(1);
        long start = clock.now();
        searchers.maybeRefreshBlocking();
        times.recordValue(clock.now() - start);
        if (times.getTotalCount() % REOPENS_PER_COMMIT == 0) {
          committer.commit(1);
        }
      } while (clock.now() < seconds * NANOS);
    }
    return Recorded.of(times);
  }

  private Recovery recovery(Path folder, LoadedCorpus text) throws IOException {
    Path index = folder.resolve("index");
    Path crashed = folder.resolve("crashed");
    int committed = fill(index, crashed, text);
    IOUtils.rm(index);
    Files.move(crashed, index);
    // A file system that shares the blocks of copies, such as XFS, has not read this one yet.
    try (InputStream in = Files.newInputStream(index.resolve(JOURNAL))) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    DeviceCounts.settle(folder);
    long start = System.nanoTime();
    double seconds;
    try (CommitJournal journal = CommitJournal.open(index.resolve(JOURNAL));
        Directory directory = new NrtCacheDirectory(new HybridDirectory(index), journal)) {
      seconds = (System.nanoTime() - start) / NANOS;
      check(directory, committed);
    }
    DeviceCounts.settle(folder);
    start = System.nanoTime();
    copy(index.resolve(JOURNAL), folder.resolve("copy"));
    return new Recovery(seconds, (System.nanoTime() - start) / NANOS);
  }

  /**
   * Fills a journal without a checkpoint, and copies it and the folder of its index before they are
   * closed. Nothing is merged, so that all of it is needed.
   *
   * @return how many documents were committed
   */
  private int fill(Path index, Path crashed, LoadedCorpus text) throws IOException {
    int documents = (int) (COMMIT_BYTES / lines.meanBytes()) + 1;
    Thread filling = Thread.currentThread();
    AtomicBoolean full = new AtomicBoolean();
    try (CommitJournal journal =
            CommitJournal.open(Files.createDirectories(index).resolve(JOURNAL), recoveryBytes);
        Directory folder =
            new FilterDirectory(new HybridDirectory(index)) {
              @Override
              public IndexOutput createOutput(String name, IOContext context) throws IOException {
                if (!full.get() && Thread.currentThread() != filling) {
                  throw new IOException("no checkpoint yet");
                }
                return in.createOutput(name, context);
              }
            };
        Directory directory =
            new NrtCacheDirectory(folder, 5, 2.0 * recoveryBytes / MEBIBYTE, journal);
        Committer committer =
            new Committer(
                directory,
                text,
                new IndexWriterConfig(Fields.analyzer()).setMergePolicy(NoMergePolicy.INSTANCE))) {
      while (journal.metrics().getOrDefault("journal.used.bytes", 0.0) < FULL * recoveryBytes) {
        committer.commit(documents);
      }
      try (Stream<Path> files = Files.walk(index)) {
        for (Path file : files.toList()) {
          Files.copy(file, crashed.resolve(index.relativize(file)));
        }
      }
      full.set(true);
      return committer.added;
    }
  }

  private static void copy(Path journal, Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (InputStream in = Files.newInputStream(journal);
        Directory files = new HybridDirectory(folder)) {
      byte[] bytes = in.readNBytes(MEBIBYTE);
      for (; bytes.length > 0; bytes = in.readNBytes(MEBIBYTE)) {
        names.add("copy-" + names.size());
        try (IndexOutput out = files.createOutput(names.getLast(), IOContext.DEFAULT)) {
          out.writeBytes(bytes, bytes.length);
        }
      }
      files.sync(names);
      files.syncMetaData();
    }
  }

  /** Ensures that a directory has as many documents as were committed. */
  static void check(Directory directory, int documents) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      if (reader.numDocs() != documents) {
        throw LiveIndex.missing(documents, reader.numDocs(), directory);
      }
    }
  }

  /** Commits to one index. For one thread at a time. */
  private static final class Committer implements Closeable {
    private final IndexBuilder builder = new IndexBuilder(false);
    private final TimedDirectory directory;
    private final LoadedCorpus text;
    private final IndexWriter writer;
    private int added;

    /** The time of the last commit, and the directory's own part of it. */
    private long nanos;

    private long ownNanos;

    /** What counts is committed, so closing does not wait for merges. */
    Committer(Directory directory, LoadedCorpus text, IndexWriterConfig config) throws IOException {
      this.directory = new TimedDirectory(directory);
      this.text = text;
      writer = new IndexWriter(this.directory, config.setCommitOnClose(false));
    }

    private void add(int documents) throws IOException {
      for (int i = 0; i < documents; i++, added++) {
        writer.addDocument(builder.document(text.line(added), added));
      }
    }

    /** Adds documents and commits them. */
    private void commit(int documents) throws IOException {
      add(documents);
      OwnTime before = directory.ofThisThread();
      long start = System.nanoTime();
      writer.commit();
      nanos = System.nanoTime() - start;
      ownNanos = directory.ofThisThread().since(before).durable();
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }
}
