package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.load.LoadServer;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Input;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Summary;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * What a server does for one client: it searches, and meanwhile updates documents and reopens the
 * reader, from the beginning of the session to its end.
 */
final class LoadSession implements LoadServer.Session {
  private static final double NANOS = 1e9;

  private final int documents;
  private final List<NamedTask> tasks;
  private final Workers workers = new Workers();
  private final ProcessMetrics metrics = new ProcessMetrics();
  private final LiveIndex index;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private final LongAdder found = new LongAdder();
  private boolean isMarked;

  @SuppressWarnings("ThreadLocalUsage") // each session has its own index
  private final ThreadLocal<LiveIndex.Searches> searches;

  /**
   * @param directory holds a copy of the index
   * @param text to update with; null for an index that stays as it is
   */
  LoadSession(
      Input input,
      List<NamedTask> tasks,
      Directory directory,
      @Nullable LoadedCorpus text,
      long seed)
      throws IOException {
    this.documents = input.documents();
    this.tasks = tasks;
    index = new LiveIndex(directory, text != null, workers);
    searches = ThreadLocal.withInitial(() -> index.new Searches());
    if (text != null) {
      index.startUpdates(
          new IndexBuilder(false), text, documents, input.live().updatesPerSecond(), seed);
      index.startReopens(input.live().reopenMillis(), new DirectoryTimer());
    }
  }

  @Override
  public void answer(int query) throws IOException {
    NamedTask task = tasks.get(query);
    try {
      found.add(searches.get().run(task.task()));
    } catch (Throwable t) {
      failure.compareAndSet(null, task.line() + ": " + t);
      throw t;
    }
  }

  @Override
  public void mark() {
    if (!isMarked) {
      isMarked = true;
      workers.open();
    }
    metrics.mark();
  }

  @Override
  public String finish() throws IOException {
    if (!isMarked) {
      mark();
    }
    workers.close();
    int segments = 0;
    try {
      workers.join();
      segments = index.check(documents);
    } catch (IOException e) {
      failure.compareAndSet(null, String.valueOf(e.getMessage()));
    }
    long heapBytes = ProcessMetrics.heapAfterCollection();
    if (found.sum() == Long.MIN_VALUE) {
      throw new AssertionError("never true, but keeps the sum in use");
    }
    return LoadCells.JSON.writeValueAsString(
        new Summary(
            metrics.finish(),
            heapBytes,
            workers.length() / NANOS,
            index.recorded(Latency.LAG),
            index.recorded(Latency.REOPEN),
            segments,
            failure.get()));
  }

  @Override
  public void close() throws IOException {
    try (metrics;
        index) {
      workers.join();
    }
  }
}
