// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.load.LoadServer;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Summary;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Welcome;
import io.github.lucenedirectories.variants.Commit;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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
  private final List<Task> tasks;
  private final Workers workers = new Workers();
  private final ProcessMetrics metrics = new ProcessMetrics();
  private final LiveIndex index;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private boolean isMarked;

  /** The index stays as it is without a text to update with. */
  private LoadSession(
      LoadWorkload plan,
      List<Task> tasks,
      Directory directory,
      @Nullable LoadedCorpus text,
      long seed)
      throws IOException {
    this.documents = plan.prepared.documents();
    this.tasks = tasks;
    index = new LiveIndex(directory, workers, text != null);
    if (text != null) {
      index.startUpdates(text, documents, plan.updates(), seed);
      index.startReopens(plan.reopenMillis);
    }
  }

  /** Serves a copy of the index, one client after the other, or to the first one only. */
  static void serve(LoadWorkload plan, Column column, Fork fork) throws IOException {
    List<Task> queries = plan.prepared.read();
    LoadedCorpus text = plan.lines == null ? null : plan.lines.load();
    Variant variant = column.named(Use.WRITE);
    Path index = Path.of(plan.prepared.index());
    Welcome welcome =
        new Welcome(
            column.label(),
            plan.notes,
            queries.size(),
            plan.updates(),
            Environment.describe(index, LoadWorkload.flags(column).flags()));
    int port = plan.serve == null ? 0 : plan.serve;
    InetSocketAddress address = new InetSocketAddress(plan.bind, port);
    try (Directory directory = variant.open(fork.folder(variant), Sizes.DEFAULT)) {
      Commit.copy(index, directory);
      try (LoadServer server =
          new LoadServer(
              address,
              plan.threads,
              JSON.writeValueAsString(welcome),
              () -> new LoadSession(plan, queries, directory, text, fork.seed()))) {
        fork.send(LISTENING, server.port());
        do {
          server.awaitFinish();
        } while (plan.serve != null);
      } catch (BindException e) {
        throw new UsageException(
            "cannot listen at " + plan.bind + ":" + port + ": " + e.getMessage(), e);
      }
    }
  }

  @Override
  public void answer(int query) throws IOException {
    Task task = tasks.get(query);
    try {
      index.search(task);
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
