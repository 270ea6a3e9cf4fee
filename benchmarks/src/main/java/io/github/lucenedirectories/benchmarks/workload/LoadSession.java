package io.github.lucenedirectories.benchmarks.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.load.LoadServer;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Input;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Summary;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Welcome;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * What a server does for one client: it searches, and meanwhile updates documents and reopens the
 * reader, from the beginning of the session to its end.
 */
final class LoadSession implements LoadServer.Session {
  /** What a fork says with its port when it listens. */
  static final String LISTENING = "listening";

  static final ObjectMapper JSON = new ObjectMapper();

  private static final double NANOS = 1e9;

  private final int documents;
  private final List<NamedTask> tasks;
  private final Workers workers = new Workers();
  private final ProcessMetrics metrics = new ProcessMetrics();
  private final LiveIndex index;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private boolean isMarked;

  @SuppressWarnings("ThreadLocalUsage") // each session has its own index
  private final ThreadLocal<LiveIndex.Searches> searches;

  /**
   * @param directory holds a copy of the index
   * @param text to update with; null for an index that stays as it is
   */
  private LoadSession(
      Input input,
      List<NamedTask> tasks,
      Directory directory,
      @Nullable LoadedCorpus text,
      long seed)
      throws IOException {
    this.documents = input.documents();
    this.tasks = tasks;
    index = new LiveIndex(directory, workers, text == null ? null : new ConcurrentMergeScheduler());
    searches = ThreadLocal.withInitial(() -> index.new Searches());
    if (text != null) {
      index.startUpdates(new IndexBuilder(false), text, documents, input.updatesPerSecond(), seed);
      index.startReopens(input.reopenMillis(), new DirectoryTimer());
    }
  }

  /** Serves a copy of the index, one client after the other, or to the first one only. */
  static void serve(Input input, Column column, Fork fork) throws IOException {
    List<NamedTask> queries = NamedTask.read(Path.of(input.tasks()), input.field());
    String file = input.text();
    LoadedCorpus text = file == null ? null : LoadedCorpus.read(Path.of(file));
    Variant variant = Variants.named(column.variant(), Use.WRITE);
    Path index = Path.of(input.index());
    String welcome =
        JSON.writeValueAsString(
            new Welcome(
                column.label(),
                input.notes(),
                queries.size(),
                input.updatesPerSecond(),
                Environment.describe(index, LoadWorkload.flags(column).flags())));
    InetSocketAddress address = new InetSocketAddress(input.bind(), input.port());
    try (Directory directory = variant.open(fork.folder(variant), Sizes.DEFAULT)) {
      LiveIndex.copy(index, directory);
      LoadServer.Service service =
          () -> new LoadSession(input, queries, directory, text, fork.seed());
      try (LoadServer server = new LoadServer(address, input.threads(), welcome, service)) {
        fork.send(LISTENING, server.port());
        do {
          server.awaitFinish();
        } while (!input.once());
      } catch (BindException e) {
        throw new UsageException(
            "cannot listen at " + input.bind() + ":" + input.port() + ": " + e.getMessage(), e);
      }
    }
  }

  @Override
  public void answer(int query) throws IOException {
    NamedTask task = tasks.get(query);
    try {
      searches.get().run(task.task());
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
    } catch (IOException | RunFailedException e) {
      failure.compareAndSet(null, String.valueOf(e.getMessage()));
    }
    long heapBytes = ProcessMetrics.heapAfterCollection();
    return JSON.writeValueAsString(
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
