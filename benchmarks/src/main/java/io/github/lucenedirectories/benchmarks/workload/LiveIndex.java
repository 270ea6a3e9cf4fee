// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory.OwnTime;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.tools.console.RunFailedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * An index that is searched while it is updated, reopened and committed, each by threads of its
 * own. Any thread may search. What was not committed is dropped in the end.
 */
final class LiveIndex implements Closeable {
  /* The share of the updates asked for from which on the rate counts as kept. */
  private static final double KEPT = 0.99;

  private final Directory directory;
  private final Workers workers;
  private final @Nullable IndexWriter writer;
  private final SearcherManager searchers;
  private final Map<Latency, ConcurrentHistogram> latencies = new EnumMap<>(Latency.class);

  /** What is recorded of a live index. */
  enum Latency {
    REOPEN(
        "reopen",
        "Reopen",
        "All that the reopening thread does: it flushes what was written, waits for small merges as"
            + " Lucene does by default, opens the new segments, and closes the old reader unless a"
            + " search still holds it. It shares the processors with the searches."),
    OWN(
        "own part of reopen",
        "The directory's own part of a reopen",
        "Wall-clock time of the reopening thread in calls to the directory and its outputs. Waiting"
            + " for a lock or a processor is included; flushing, compression, merges on other"
            + " threads and the close of inputs are not."),
    CLOSE(
        "close of old reader",
        "Close of an old reader",
        "Releasing the last hold on an old reader, on the thread that happens to do it: files of"
            + " merged segments are closed and deleted. If a search does it, it is part of that"
            + " query's latency too."),
    QUERY(
        "query",
        "Query latency",
        "From taking the current searcher until it is given back. The searching threads form a"
            + " closed loop, so no queries queue up while a directory stalls, and percentiles are"
            + " milder than for arrivals at a fixed rate. Kinds are mixed: high percentiles belong"
            + " to the slow kinds, unless a stall is longer."),
    LAG(
        "update lag",
        "Updates",
        "Documents are replaced by random key at a fixed rate. The lag is the time from an update's"
            + " planned moment until it is done. Late updates are made up for, so a rate that"
            + " cannot be kept shows as fewer updates and a growing lag."),
    COMMIT("commit", "Commit", "All of IndexWriter.commit.");

    final String label;

    final String title;
    final String meaning;

    Latency(String label, String title, String meaning) {
      this.label = label;
      this.title = title;
      this.meaning = meaning;
    }
  }

  /** A searcher that knows which thread closed its reader. */
  private static final class OpenSearcher extends IndexSearcher {
    private volatile @Nullable Thread closedBy;
    private final Map<Thread, SearchContext> contexts = new ConcurrentHashMap<>();

    OpenSearcher(IndexReader reader) {
      super(reader);
      reader.getReaderCacheHelper().addClosedListener(key -> closedBy = Thread.currentThread());
    }

    SearchContext ofThisThread() {
      return contexts.computeIfAbsent(
          Thread.currentThread(), _ -> new SearchContext(getIndexReader()));
    }
  }

  /** Opens the last commit of a directory. */
  LiveIndex(Directory directory, Workers workers, boolean isUpdated) throws IOException {
    this.directory = directory;
    this.workers = workers;
    for (Latency latency : Latency.values()) {
      latencies.put(latency, new ConcurrentHistogram(Recorded.DIGITS));
    }
    SearcherFactory factory =
        new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous) {
            return new OpenSearcher(reader);
          }
        };
    if (!isUpdated) {
      writer = null;
      searchers = new SearcherManager(directory, factory);
    } else {
      IndexWriterConfig config = new IndexWriterConfig(Fields.analyzer());
      config.setCommitOnClose(false);
      writer = new IndexWriter(directory, config);
      searchers = new SearcherManager(writer, factory);
    }
  }

  private IndexWriter writer() {
    return Objects.requireNonNull(writer);
  }

  private void record(Latency latency, long nanos) {
    histogram(latency).recordValue(Math.max(0, nanos));
  }

  private void recordSince(long start, Latency latency) {
    if (workers.counts(start)) {
      record(latency, workers.now() - start);
    }
  }

  private ConcurrentHistogram histogram(Latency latency) {
    return Objects.requireNonNull(latencies.get(latency));
  }

  private OpenSearcher acquire() throws IOException {
    IndexSearcher searcher = searchers.acquire();
    return (OpenSearcher) searcher;
  }

  private void release(OpenSearcher searcher) throws IOException {
    long start = workers.now();
    searchers.release(searcher);
    if (searcher.closedBy == Thread.currentThread()) {
      recordSince(start, Latency.CLOSE);
    }
  }

  void search(Task task) throws IOException {
    long start = workers.now();
    OpenSearcher searcher = acquire();
    try {
      searcher.ofThisThread().run(task);
    } finally {
      release(searcher);
    }
    recordSince(start, Latency.QUERY);
  }

  /**
   * Starts to replace documents by random key at a fixed rate. What is late is made up for, so a
   * rate that cannot be kept shows as a growing lag.
   */
  void startUpdates(LoadedCorpus text, int count, int perSecond, long seed) {
    IndexBuilder documents = new IndexBuilder(false);
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
  void startReopens(int intervalMillis) {
    workers.every(
        "reopener",
        TimeUnit.MILLISECONDS.toNanos(intervalMillis),
        false,
        _ -> {
          OpenSearcher old = acquire();
          OwnTime ownBefore = ownSoFar();
          long start = workers.now();
          try {
            searchers.maybeRefreshBlocking();
          } finally {
            release(old);
          }
          long took = workers.now() - start;
          OwnTime ownTook = ownSoFar().since(ownBefore);
          if (workers.counts(start) && !isCurrent(old)) {
            record(Latency.REOPEN, took);
            record(Latency.OWN, ownTook.all());
          }
        });
  }

  /** What the calling thread has spent in the directory; nothing if that is not timed. */
  private OwnTime ownSoFar() {
    return directory instanceof TimedDirectory timed ? timed.ofThisThread() : OwnTime.NONE;
  }

  private boolean isCurrent(OpenSearcher searcher) throws IOException {
    OpenSearcher current = acquire();
    try {
      return current == searcher;
    } finally {
      release(current);
    }
  }

  void startCommits(double intervalSeconds) {
    workers.every(
        "committer",
        (long) (intervalSeconds * TimeUnit.SECONDS.toNanos(1)),
        false,
        _ -> {
          long start = workers.now();
          writer().commit();
          recordSince(start, Latency.COMMIT);
        });
  }

  int reopens() {
    return (int) histogram(Latency.REOPEN).getTotalCount();
  }

  Map<Latency, Recorded> recorded() {
    Map<Latency, Recorded> all = new EnumMap<>(Latency.class);
    latencies.forEach((latency, histogram) -> all.put(latency, Recorded.of(histogram)));
    return all;
  }

  Recorded recorded(Latency latency) {
    return Recorded.of(histogram(latency));
  }

  /** Reopens once more, counts the documents, and returns the number of segments. */
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

  /** A hint where the slowest fork made fewer updates than asked. */
  static Optional<String> lagging(String label, double least, int asked) {
    String hint = "%s did not keep the rate of updates: %,.0f of %,d per second.";
    return least < KEPT * asked
        ? Optional.of(Numbers.text(hint, label, least, asked))
        : Optional.empty();
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
