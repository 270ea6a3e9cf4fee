// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/**
 * Threads that work until a run is over, and the part of the run that is measured. If one thread
 * fails, the run is over for all. Times are nanoseconds since the run began. One thread starts and
 * joins the others; any thread may ask for the time.
 */
final class Workers {
  private static final long LOOK_NANOS = 20_000_000;

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final long origin = System.nanoTime();
  private volatile long from = Long.MAX_VALUE;
  private volatile long until = Long.MAX_VALUE;
  private volatile boolean over;

  /** Runs all tasks, each on a thread of a pool, and returns what they return. */
  static <T> List<T> invokeAll(ExecutorService pool, List<Callable<T>> tasks) throws IOException {
    List<T> results = new ArrayList<>();
    try {
      for (Future<T> task : pool.invokeAll(tasks)) {
        results.add(task.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  long now() {
    return System.nanoTime() - origin;
  }

  void open() {
    from = now();
  }

  /** Stops to measure and ends the run. */
  void close() {
    until = now();
    over = true;
  }

  boolean isOver() {
    return over;
  }

  boolean counts(long nanos) {
    return from <= nanos && nanos < until;
  }

  /** The time from the start of the measurement to a moment. */
  long sinceOpen(long nanos) {
    return nanos - from;
  }

  /** The length of the measurement, once it has ended. */
  long length() {
    return until - from;
  }

  /** Starts a thread, whose work asks {@link #isOver} now and then. */
  void start(String name, IORunnable work) {
    Runnable body =
        () -> {
          try {
            work.run();
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
            over = true;
          }
        };
    threads.add(Thread.ofPlatform().name(name).start(body));
  }

  /**
   * Starts a thread that does something at an interval.
   *
   * @param makesUp whether it catches up with moments that it missed
   * @param step gets the moment at which it should have begun
   */
  void every(String name, long intervalNanos, boolean makesUp, IOConsumer<Long> step) {
    start(
        name,
        () -> {
          long due = now() + intervalNanos;
          while (!over) {
            long wait = due - now();
            if (wait > 0) {
              LockSupport.parkNanos(wait);
              continue;
            }
            step.accept(due);
            due = makesUp ? due + intervalNanos : Math.max(due + intervalNanos, now());
          }
        });
  }

  /** Waits until a condition holds or a thread has failed. */
  void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean() && !over) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Ends the run and waits for all threads; throws what the first that failed threw. */
  void join() throws IOException {
    over = true;
    // Some sleep until something is due.
    threads.forEach(LockSupport::unpark);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IOException("a thread of the workload failed: " + thrown, thrown);
    }
  }
}
