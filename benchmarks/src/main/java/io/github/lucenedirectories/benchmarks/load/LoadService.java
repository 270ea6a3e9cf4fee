package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.live.Crew;
import io.github.lucenedirectories.benchmarks.live.LiveSearch;
import io.github.lucenedirectories.benchmarks.live.OpenSearcher;
import io.github.lucenedirectories.benchmarks.live.Reopener;
import io.github.lucenedirectories.benchmarks.live.Searchers;
import io.github.lucenedirectories.benchmarks.live.Updater;
import io.github.lucenedirectories.benchmarks.live.Window;
import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.traffic.Service;
import io.github.lucenedirectories.benchmarks.watch.Watch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * What a server does for one client: searches, and meanwhile updates documents and reopens the
 * reader, from the client's greeting to its end.
 */
final class LoadService implements Service {
  private static final double NANOS = 1e9;

  private final ServerSpec spec;
  private final String welcome;
  private final List<NamedTask> tasks;
  private final Window window = new Window();
  private final Crew crew = new Crew(window);
  private final Watch watch = new Watch();
  private final Searchers searchers;
  private final @Nullable Updater updater;
  private final @Nullable Reopener reopener;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private final LongAdder found = new LongAdder();
  private boolean isMarked;

  private LoadService(
      ServerSpec spec,
      String welcome,
      List<NamedTask> tasks,
      Directory directory,
      @Nullable IndexWriter writer,
      @Nullable LoadedCorpus text)
      throws IOException {
    this.spec = spec;
    this.welcome = welcome;
    this.tasks = tasks;
    if (writer == null || text == null) {
      searchers = new Searchers(directory, window);
      updater = null;
      reopener = null;
    } else {
      searchers = new Searchers(writer, window);
      updater =
          new Updater(
              writer,
              window,
              new IndexBuilder(false),
              text,
              spec.documents(),
              spec.live().updatesPerSecond(),
              spec.seed());
      reopener = new Reopener(searchers, window, new Meter(), spec.live().reopenMillis());
    }
  }

  /**
   * Begins.
   *
   * @param writer null for an index that stays as it is
   * @param text to update with; null likewise
   */
  static LoadService start(
      ServerSpec spec,
      String welcome,
      List<NamedTask> tasks,
      Directory directory,
      @Nullable IndexWriter writer,
      @Nullable LoadedCorpus text)
      throws IOException {
    LoadService service = new LoadService(spec, welcome, tasks, directory, writer, text);
    if (service.updater != null && service.reopener != null) {
      service.crew.start("updater", service.updater);
      service.crew.start("reopener", service.reopener);
    }
    return service;
  }

  @Override
  public String welcome() {
    return welcome;
  }

  @Override
  public int queries() {
    return tasks.size();
  }

  @Override
  public int threads() {
    return spec.live().threads();
  }

  @Override
  public Worker worker() {
    LiveSearch search = new LiveSearch(searchers);
    return query -> {
      try {
        found.add(search.run(tasks.get(query).task()));
      } catch (Throwable t) {
        failure.compareAndSet(null, tasks.get(query).line() + ": " + t);
        throw t;
      }
    };
  }

  @Override
  public void mark() {
    if (!isMarked) {
      isMarked = true;
      window.open();
    }
    watch.mark();
  }

  @Override
  public String finish() throws IOException {
    if (!isMarked) {
      mark();
    }
    window.close();
    int segments = 0;
    try {
      crew.join();
      segments = check();
    } catch (IOException e) {
      failure.compareAndSet(null, String.valueOf(e.getMessage()));
    }
    long heapBytes = Watch.heapAfterCollection();
    if (found.sum() == Long.MIN_VALUE) {
      throw new AssertionError("cannot be, but keeps the sum in use");
    }
    Histogram none = new Histogram(EncodedHistogram.DIGITS);
    Histogram lag = updater == null ? none : updater.lag();
    Histogram reopen = reopener == null ? none : reopener.whole();
    return LoadJson.text(
        new ServerSummary(
            watch.finish(),
            heapBytes,
            window.length() / NANOS,
            lag.getTotalCount(),
            EncodedHistogram.encode(lag),
            EncodedHistogram.encode(reopen),
            segments,
            failure.get()));
  }

  /** Looks whether every document is still there; returns the number of segments. */
  private int check() throws IOException {
    searchers.refresh();
    OpenSearcher last = searchers.acquire();
    try {
      IndexReader reader = last.getIndexReader();
      if (reader.numDocs() != spec.documents()) {
        throw new IOException(
            "updates changed the number of documents: expected="
                + spec.documents()
                + ", found="
                + reader.numDocs());
      }
      return reader.leaves().size();
    } finally {
      searchers.release(last);
    }
  }

  @Override
  public void close() throws IOException {
    try (watch;
        searchers) {
      crew.join();
    }
  }
}
