package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.live.Crew;
import io.github.lucenedirectories.benchmarks.live.OpenSearcher;
import io.github.lucenedirectories.benchmarks.live.Reopener;
import io.github.lucenedirectories.benchmarks.live.Searchers;
import io.github.lucenedirectories.benchmarks.live.Updater;
import io.github.lucenedirectories.benchmarks.live.Window;
import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.watch.CollectionTime;
import io.github.lucenedirectories.benchmarks.watch.Watch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/**
 * Updates, reopens and searches an index at the same time, all on threads of their own, and
 * measures from the end of the warm-up on. Lucene's defaults apply. For one thread, once.
 */
final class NrtRun {
  /* Longer than any run: what comes later is not counted by the second. */
  private static final int MOST_SECONDS = 24 * 60 * 60;
  private static final double NANOS = 1e9;

  private final NrtSpec spec;
  private final Load load;
  private final LoadedCorpus text;
  private final List<NamedTask> tasks;
  private final Meter meter;
  private final Window window = new Window();
  private final Crew crew = new Crew(window);
  private final AtomicIntegerArray perSecond = new AtomicIntegerArray(MOST_SECONDS);
  private final List<SearchLoop> loops = new ArrayList<>();

  /**
   * @param meter of the directory's own time
   */
  NrtRun(NrtSpec spec, LoadedCorpus text, List<NamedTask> tasks, Meter meter) {
    this.spec = spec;
    this.load = spec.load();
    this.text = text;
    this.tasks = tasks;
    this.meter = meter;
  }

  /**
   * Runs on a directory that holds the index.
   *
   * @param name what the directory says of itself
   */
  NrtSamples run(Directory directory, String name) throws IOException {
    IndexWriter writer =
        new IndexWriter(
            directory, new IndexWriterConfig(Fields.analyzer()).setCommitOnClose(false));
    // What was written since the last commit is not worth keeping.
    try (writer;
        Watch watch = new Watch();
        Searchers searchers = new Searchers(writer, window)) {
      return run(writer, searchers, watch, name);
    }
  }

  private NrtSamples run(IndexWriter writer, Searchers searchers, Watch watch, String name)
      throws IOException {
    IndexBuilder documents = new IndexBuilder(spec.vectors());
    Updater updater =
        new Updater(
            writer,
            window,
            documents,
            text,
            spec.documents(),
            load.updatesPerSecond(),
            spec.seed());
    Reopener reopener = new Reopener(searchers, window, meter, load.reopenMillis());
    Committer committer = new Committer(writer, window, load.commitSeconds());
    long collectionBefore;
    long collectionAfter;
    try {
      crew.start("updater", updater);
      crew.start("reopener", reopener);
      if (load.commitSeconds() > 0) {
        crew.start("committer", committer);
      }
      for (int i = 0; i < load.threads(); i++) {
        SearchLoop loop = new SearchLoop(searchers, window, tasks, perSecond, spec.seed() + 1 + i);
        loops.add(loop);
        crew.start("searcher-" + i, loop);
      }
      crew.await(() -> window.now() >= load.warmupSeconds() * NANOS);
      collectionBefore = CollectionTime.millis();
      watch.mark();
      window.open();
      crew.await(
          () ->
              reopener.count() >= load.reopens()
                  && window.sinceOpen(window.now()) >= load.seconds() * NANOS);
      collectionAfter = CollectionTime.millis();
      window.close();
      watch.mark();
    } finally {
      crew.join();
    }
    int segments = check(searchers);
    Map<Latency, String> latencies = new EnumMap<>(Latency.class);
    put(latencies, Latency.QUERY, queries());
    put(latencies, Latency.REOPEN, reopener.whole());
    put(latencies, Latency.CPU, reopener.processor());
    if (spec.directory().metered()) {
      put(latencies, Latency.OWN, reopener.own());
    }
    put(latencies, Latency.CLOSE, searchers.closes());
    put(latencies, Latency.LAG, updater.lag());
    put(latencies, Latency.COMMIT, committer.latency());
    return new NrtSamples(
        name,
        window.length() / NANOS,
        latencies,
        queriesPerSecond(),
        reopener.slowest(TimeUnit.NANOSECONDS.toSeconds(window.length())),
        queries().getTotalCount(),
        updater.lag().getTotalCount(),
        reopener.count(),
        reopener.allOwn(),
        collectionAfter - collectionBefore,
        segments,
        watch.finishParts());
  }

  /** Looks whether every document is still there, once; returns the number of segments. */
  private int check(Searchers searchers) throws IOException {
    if (loops.stream().mapToLong(SearchLoop::found).sum() == Long.MIN_VALUE) {
      throw new AssertionError("cannot be, but keeps the sum in use");
    }
    searchers.refresh();
    OpenSearcher last = searchers.acquire();
    try {
      IndexReader reader = last.getIndexReader();
      if (reader.numDocs() != spec.documents()) {
        throw new RunFailedException(
            "updates changed the number of documents: expected="
                + spec.documents()
                + ", found="
                + reader.numDocs()
                + ": "
                + reader);
      }
      return reader.leaves().size();
    } finally {
      searchers.release(last);
    }
  }

  private Histogram queries() {
    Histogram all = new Histogram(EncodedHistogram.DIGITS);
    loops.forEach(loop -> all.add(loop.latency()));
    return all;
  }

  private List<Integer> queriesPerSecond() {
    List<Integer> seconds = new ArrayList<>();
    for (int i = 0; i < TimeUnit.NANOSECONDS.toSeconds(window.length()); i++) {
      seconds.add(perSecond.get(i));
    }
    return seconds;
  }

  private static void put(
      Map<Latency, String> latencies, Latency latency, AbstractHistogram histogram) {
    if (histogram.getTotalCount() > 0) {
      latencies.put(latency, EncodedHistogram.encode(histogram));
    }
  }
}
