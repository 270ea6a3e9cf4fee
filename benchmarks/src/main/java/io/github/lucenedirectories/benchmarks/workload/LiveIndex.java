package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer.OwnTime;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * An index that is searched while it is updated, reopened and committed, each by threads of its
 * own. Any thread may search. What was not committed is dropped in the end.
 */
final class LiveIndex implements Closeable {
  private static final int MERGE_MILLIS = 100;

  private final Directory directory;
  private final Workers workers;
  private final @Nullable IndexWriter writer;
  private final SearcherManager searchers;
  private final Map<Latency, ConcurrentHistogram> latencies = new EnumMap<>(Latency.class);
  private final AtomicInteger reopens = new AtomicInteger();
  private OwnTime own = OwnTime.NONE;

  /** What is recorded of a live index. */
  enum Latency {
    /** From taking the current searcher until it is given back. */
    QUERY("query"),
    /** All that the reopening thread does: flush, open new segments, close the old reader. */
    REOPEN("reopen"),
    /** What of a reopen was spent in calls to the directory. */
    OWN("own part of reopen"),
    /** The processor time of a reopen. */
    CPU("processor time of reopen"),
    /** Releasing the last hold on an old reader, by the thread that happens to do it. */
    CLOSE("close of old reader"),
    /** From the planned moment of an update until it is done. */
    LAG("update lag"),
    COMMIT("commit");

    private final String label;

    Latency(String label) {
      this.label = label;
    }

    /** The name in results. */
    String label() {
      return label;
    }
  }

  /** A searcher without a query cache that knows which thread closed its reader. */
  private static final class OpenSearcher extends IndexSearcher {
    private volatile @Nullable Thread closedBy;

    OpenSearcher(IndexReader reader) {
      super(reader);
      setQueryCache(null);
      reader.getReaderCacheHelper().addClosedListener(key -> closedBy = Thread.currentThread());
    }
  }

  private static final class Factory extends SearcherFactory {
    @Override
    public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous) {
      return new OpenSearcher(reader);
    }
  }

  /**
   * Opens the last commit of a directory.
   *
   * @param merges null for an index that is not updated
   */
  LiveIndex(Directory directory, Workers workers, @Nullable ConcurrentMergeScheduler merges)
      throws IOException {
    this.directory = directory;
    this.workers = workers;
    for (Latency latency : Latency.values()) {
      latencies.put(latency, new ConcurrentHistogram(EncodedHistogram.DIGITS));
    }
    if (merges != null) {
      writer =
          new IndexWriter(
              directory,
              new IndexWriterConfig(Fields.analyzer())
                  .setCommitOnClose(false)
                  .setMergeScheduler(merges));
      searchers = new SearcherManager(writer, new Factory());
    } else {
      writer = null;
      searchers = new SearcherManager(directory, new Factory());
    }
  }

  /** Copies the last commit of an index into a directory, and syncs it before anything is timed. */
  static void copy(Path index, Directory directory) throws IOException {
    try (Directory source = new MMapDirectory(index)) {
      Collection<String> files = SegmentInfos.readLatestCommit(source).files(true);
      for (String name : files) {
        directory.copyFrom(source, name, name, IOContext.DEFAULT);
      }
      directory.sync(files);
    }
  }

  private IndexWriter writer() {
    return Objects.requireNonNull(writer);
  }

  private void record(Latency latency, long nanos) {
    Objects.requireNonNull(latencies.get(latency)).recordValue(Math.max(0, nanos));
  }

  private OpenSearcher acquire() throws IOException {
    IndexSearcher searcher = searchers.acquire();
    return (OpenSearcher) searcher;
  }

  private void release(OpenSearcher searcher) throws IOException {
    long start = workers.now();
    searchers.release(searcher);
    if (searcher.closedBy == Thread.currentThread() && workers.counts(start)) {
      record(Latency.CLOSE, workers.now() - start);
    }
  }

  /** Runs queries on the searcher that is current. For one thread. */
  final class Searches {
    private @Nullable OpenSearcher last;
    private @Nullable SearchContext context;

    /** Runs a query. */
    void run(Task task) throws IOException {
      long start = workers.now();
      OpenSearcher searcher = acquire();
      try {
        SearchContext current = searcher == last ? context : null;
        if (current == null) {
          current = new SearchContext(searcher.getIndexReader());
          last = searcher;
          context = current;
        }
        current.run(task);
      } finally {
        release(searcher);
      }
      if (workers.counts(start)) {
        record(Latency.QUERY, workers.now() - start);
      }
    }
  }

  /**
   * Starts to replace documents by random key at a fixed rate. What is late is made up for, so a
   * rate that cannot be kept shows as a growing lag.
   *
   * @param count of documents in the index
   */
  void startUpdates(
      IndexBuilder documents, LoadedCorpus text, int count, int perSecond, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    workers.every(
        "updater",
        TimeUnit.SECONDS.toNanos(1) / perSecond,
        true,
        due -> {
          int number = random.nextInt(count);
          writer()
              .updateDocument(
                  new Term(Fields.ID, IndexBuilder.id(number)),
                  documents.document(text.line(random.nextInt(text.size())), number));
          long done = workers.now();
          if (workers.counts(done)) {
            record(Latency.LAG, done - due);
          }
        });
  }

  /** Starts to reopen at an interval. A reopen that takes longer delays the next one. */
  void startReopens(int intervalMillis, DirectoryTimer timer) {
    ThreadMXBean processor = ManagementFactory.getThreadMXBean();
    workers.every(
        "reopener",
        TimeUnit.MILLISECONDS.toNanos(intervalMillis),
        false,
        _ -> {
          OpenSearcher old = acquire();
          OwnTime ownBefore = timer.ofThisThread();
          long processorBefore = processor.getCurrentThreadCpuTime();
          long start = workers.now();
          try {
            searchers.maybeRefreshBlocking();
          } finally {
            release(old);
          }
          long took = workers.now() - start;
          long processorTook = processor.getCurrentThreadCpuTime() - processorBefore;
          OwnTime ownTook = timer.ofThisThread().since(ownBefore);
          if (workers.counts(start) && !isCurrent(old)) {
            record(Latency.REOPEN, took);
            record(Latency.CPU, processorTook);
            record(Latency.OWN, ownTook.withSync());
            own = own.plus(ownTook);
            reopens.incrementAndGet();
          }
        });
  }

  private boolean isCurrent(OpenSearcher searcher) throws IOException {
    OpenSearcher current = acquire();
    try {
      return current == searcher;
    } finally {
      release(current);
    }
  }

  /** Starts to commit at an interval. */
  void startCommits(double intervalSeconds) {
    workers.every(
        "committer",
        (long) (intervalSeconds * TimeUnit.SECONDS.toNanos(1)),
        false,
        _ -> {
          long start = workers.now();
          writer().commit();
          if (workers.counts(start)) {
            record(Latency.COMMIT, workers.now() - start);
          }
        });
  }

  /** Starts to merge all segments into one, again and again. */
  void startForcedMerges(ConcurrentMergeScheduler merges) {
    workers.every(
        "merger",
        TimeUnit.MILLISECONDS.toNanos(MERGE_MILLIS),
        false,
        _ -> {
          if (merges.mergeThreadCount() == 0) {
            writer().forceMerge(1, false);
          }
        });
  }

  /** Reopens that count so far. */
  int reopens() {
    return reopens.get();
  }

  /** What all reopens together spent in calls to the directory, after the run. */
  OwnTime own() {
    return own;
  }

  /** What was recorded, after the run. */
  Recorded recorded(Latency latency) {
    return Recorded.of(Objects.requireNonNull(latencies.get(latency)));
  }

  /**
   * Reopens once more and counts the documents.
   *
   * @return the number of segments
   * @throws RunFailedException if documents are missing or there are too many
   */
  int check(int documents) throws IOException {
    searchers.maybeRefreshBlocking();
    OpenSearcher last = acquire();
    try {
      IndexReader reader = last.getIndexReader();
      if (reader.numDocs() != documents) {
        throw missing(documents, reader.numDocs(), directory);
      }
      return reader.leaves().size();
    } finally {
      release(last);
    }
  }

  /** That a directory lost documents, or gave too many. */
  static RunFailedException missing(int expected, int found, Directory directory) {
    return new RunFailedException(
        "documents are missing: expected=" + expected + ", found=" + found + ": " + directory);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(searchers, writer);
  }
}
