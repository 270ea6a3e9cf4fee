package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.watch.CollectionTime;
import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Threads that run one kind's queries in a closed loop: each takes the next when it is done with
 * one. The order is the same for the same seed: all queries once, shuffled, then all again in
 * another order. For use by one thread.
 */
final class Searchers implements AutoCloseable {
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;
  private static final double MILLIS_A_SECOND = 1e3;

  private final ExecutorService threads;
  private final long seed;
  private final AtomicLong found = new AtomicLong();

  Searchers(int count, long seed) {
    this.threads = Executors.newFixedThreadPool(count);
    this.seed = seed;
  }

  /** When to end: after a time, or after every query has run once. */
  private interface End {
    boolean isReached(int queries);
  }

  /** Runs for a time, and at least one query. */
  KindSamples run(List<Task> tasks, OpenIndex index, double seconds) throws IOException {
    long start = System.nanoTime();
    long length = (long) (seconds * NANOS);
    return run(tasks, index, n -> n > 0 && System.nanoTime() - start >= length);
  }

  /** Runs until a merge is done, and at least one query. */
  KindSamples runDuring(ForcedMerge merge, List<Task> tasks, OpenIndex index) throws IOException {
    return run(tasks, index, n -> n > 0 && merge.isDone());
  }

  /** Runs every query once. */
  KindSamples runOnce(List<Task> tasks, OpenIndex index) throws IOException {
    return run(tasks, index, n -> n >= tasks.size());
  }

  private KindSamples run(List<Task> tasks, OpenIndex index, End end) throws IOException {
    Order order = new Order(tasks.size(), seed);
    index.takeFigures();
    ProcessCounters before = ProcessCounters.now();
    long collected = CollectionTime.millis();
    long start = System.nanoTime();
    List<Callable<Histogram>> loops = new ArrayList<>();
    for (SearchContext context : index.contexts()) {
      loops.add(() -> loop(tasks, context, order, end));
    }
    Histogram all = new Histogram(DIGITS);
    try {
      for (Future<Histogram> one : threads.invokeAll(loops)) {
        all.add(one.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
    double seconds = (System.nanoTime() - start) / NANOS;
    return new KindSamples(
        EncodedHistogram.encode(all),
        all.getTotalCount(),
        seconds,
        ProcessCounters.now().since(before),
        (CollectionTime.millis() - collected) / MILLIS_A_SECOND,
        index.takeFigures());
  }

  private Histogram loop(List<Task> tasks, SearchContext context, Order order, End end)
      throws IOException {
    Histogram latencies = new Histogram(DIGITS);
    for (int n = order.next(); !end.isReached(n); n = order.next()) {
      Task task = tasks.get(order.task(n));
      long start = System.nanoTime();
      found.addAndGet(task.run(context));
      latencies.recordValue(System.nanoTime() - start);
    }
    return latencies;
  }

  /** Depends on all that was found, so that none of the work can be left out. */
  long found() {
    return found.get();
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  /** Which query is the n-th. For any thread. */
  private static final class Order {
    private final List<Integer> tasks = new ArrayList<>();
    private final Random random;
    private final AtomicInteger count = new AtomicInteger();
    private int pass;

    Order(int size, long seed) {
      this.random = new Random(seed);
      for (int i = 0; i < size; i++) {
        tasks.add(i);
      }
      Collections.shuffle(tasks, random);
    }

    int next() {
      return count.getAndIncrement();
    }

    synchronized int task(int n) {
      // A thread that was held up between the two calls finds the newer order: no harm is done.
      if (n / tasks.size() > pass) {
        pass = n / tasks.size();
        Collections.shuffle(tasks, random);
      }
      return tasks.get(n % tasks.size());
    }
  }
}
