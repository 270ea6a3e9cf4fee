// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Mark;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.load.CapacitySearch;
import io.github.lucenedirectories.benchmarks.load.OpenLoop;
import io.github.lucenedirectories.benchmarks.load.StepClock;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.LoadSamples;
import io.github.lucenedirectories.variants.LastCommit;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * All steps of one fork. A few threads answer the requests, as in a server that never turns a user
 * away, and meanwhile documents are updated and the reader is reopened. For one thread, once.
 */
final class LoadRun implements Closeable {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;
  private static final double SETTLE_SHARE = 0.1;
  private static final double MOST_SETTLE_SECONDS = 1;

  /* How long to wait for late answers. After that a directory is only known to be behind. */
  private static final double PATIENCE_SECONDS = 2;
  private static final double LONG_PATIENCE_SECONDS = 10;

  /* Where a search begins that knows nothing yet. */
  private static final double FIRST_RATE = 128;

  /*
   * How often the rate in common is halved for the warm-up and the start of a search. A JVM that
   * has just started falls behind at rates that it holds when it is warm, and a search does not come
   * back to a rate that was refused.
   */
  private static final int COLD_OCTAVES = 3;

  private final LoadWorkload plan;
  private final long seed;
  private final List<Task> tasks;
  private final Directory directory;
  private final Workers workers = new Workers();
  private final LiveIndex index;
  private final ExecutorService searchers;
  private final List<Span> spans = new ArrayList<>();
  private final List<StepResult> steps = new ArrayList<>();

  LoadRun(LoadWorkload plan, Column column, Fork fork) throws IOException {
    this.plan = plan;
    this.seed = fork.seed();
    this.tasks = plan.prepared.read();
    this.searchers = Executors.newFixedThreadPool(plan.threads);
    LoadedCorpus text = plan.lines == null ? null : plan.lines.load();
    Variant variant = column.named(Use.WRITE);
    directory = variant.open(fork.folder(variant));
    LastCommit.copy(Path.of(plan.prepared.index()), directory);
    index = new LiveIndex(directory, workers, text != null);
    if (text != null) {
      index.startUpdates(text, plan.prepared.documents(), plan.updates(), seed);
      index.startReopens(plan.reopenMillis);
    }
  }

  static int start(@Nullable Integer known) {
    return known == null
        ? CapacitySearch.place(FIRST_RATE)
        : Math.max(0, known - COLD_OCTAVES * CapacitySearch.STEPS);
  }

  LoadSamples run() throws IOException {
    workers.open();
    double stepSeconds = plan.values().seconds();
    int start = start(plan.common);
    double first = plan.rates.isEmpty() ? CapacitySearch.rate(start) : plan.rates.get(0);
    step(first, plan.values().warmupSeconds(), PATIENCE_SECONDS);
    Double capacity = null;
    Integer common = plan.common;
    if (plan.rates.isEmpty()) {
      // Every fork gets one search for its capacity: the better of two would be too high.
      OptionalInt found = capacityFrom(start);
      capacity = found.isPresent() ? CapacitySearch.rate(found.getAsInt()) : null;
      common = common == null ? halfOfTheBetter(found, start) : common;
      step(CapacitySearch.rate(common), 2 * stepSeconds, LONG_PATIENCE_SECONDS);
    }
    for (double rate : plan.rates) {
      boolean held = step(rate, stepSeconds, LONG_PATIENCE_SECONDS);
      capacity = held && (capacity == null || rate > capacity) ? Double.valueOf(rate) : capacity;
    }
    workers.close();
    workers.join();
    int segments = index.check(plan.prepared.documents());
    long heapBytes = ProcessMetrics.heapAfterCollection();
    return new LoadSamples(
        steps,
        capacity,
        common,
        spans,
        heapBytes,
        workers.length() / NANOS,
        index.recorded(Latency.LAG),
        index.recorded(Latency.REOPEN),
        segments);
  }

  /** All columns will be compared at this rate, so no disturbance may decide it. */
  private int halfOfTheBetter(OptionalInt found, int start) throws IOException {
    int again = capacityFrom(found.orElse(start)).orElse(0);
    return Math.max(0, Math.max(found.orElse(0), again) - CapacitySearch.STEPS);
  }

  private OptionalInt capacityFrom(int start) throws IOException {
    double seconds = plan.values().seconds();
    return new CapacitySearch(
            place -> step(CapacitySearch.rate(place), seconds, PATIENCE_SECONDS), plan.finest)
        .run(start);
  }

  /** Whether the rate was held. */
  private boolean step(double rate, double seconds, double patienceSeconds) throws IOException {
    double limitSeconds = plan.limitMillis / MILLIS;
    double settleSeconds = Math.min(MOST_SETTLE_SECONDS, seconds * SETTLE_SHARE);
    StepClock clock =
        new StepClock(rate, settleSeconds, seconds, tasks.size(), seed * 31 + steps.size());
    Mark mark = Mark.now();
    StepResult result =
        new OpenLoop(clock, searchers, query -> index.search(tasks.get(query)))
            .run(Math.max(patienceSeconds, 2 * limitSeconds));
    spans.add(mark.span());
    steps.add(result);
    return result.holds(limitSeconds);
  }

  @Override
  public void close() throws IOException {
    searchers.shutdown();
    try {
      workers.join();
    } finally {
      IOUtils.close(index, directory);
    }
  }
}
