// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.util.IOConsumer;
import org.jspecify.annotations.Nullable;

/** Runs a task for each of several items on several threads. */
public final class Parallel {

  /** Idle keep-alive of a thread: starting a new one takes as long as a small sync. */
  private static final int IDLE_MILLIS = 100;

  private static final Executor THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_MILLIS,
          TimeUnit.MILLISECONDS,
          new SynchronousQueue<>(),
          BackgroundThread.factory("parallel"));

  private Parallel() {}

  /**
   * Runs the task for all items, in their order, on at most {@code threads} threads. Returns, or
   * throws the first failure, when all threads have finished; after a failure no further item is
   * started. The calling thread waits, so that its interrupts do not reach the task; only if the
   * system allows no more threads, it runs the task, and an interrupt meanwhile may make it fail.
   */
  public static <T> void forEach(List<T> items, int threads, IOConsumer<T> task)
      throws IOException {
    Run<T> run = new Run<>(items, task);
    Semaphore ended = new Semaphore(0);
    int begun = 0;
    try {
      for (; begun < Math.min(threads, items.size()); begun++) {
        THREADS.execute(
            () -> {
              try {
                run.run();
              } finally {
                ended.release();
              }
            });
      }
    } catch (OutOfMemoryError _) {
      // No more threads: those already started do all the work.
    } finally {
      ended.acquireUninterruptibly(begun);
    }
    if (begun == 0) {
      Uninterruptibles.call(
          () -> {
            run.run();
            return run;
          });
    }
    run.rethrow();
  }

  private static final class Run<T> implements Runnable {
    private final List<T> items;
    private final IOConsumer<T> task;
    private final AtomicInteger next = new AtomicInteger();
    private volatile @Nullable Throwable failure;

    Run(List<T> items, IOConsumer<T> task) {
      this.items = items;
      this.task = task;
    }

    @Override
    public void run() {
      while (failure == null) {
        int index = next.getAndIncrement();
        if (index >= items.size()) {
          return;
        }
        try {
          task.accept(items.get(index));
        } catch (Throwable t) {
          fail(t);
        }
      }
    }

    private synchronized void fail(Throwable t) {
      if (failure == null) {
        failure = t;
      } else if (failure != t) {
        failure.addSuppressed(t);
      }
    }

    void rethrow() throws IOException {
      switch (failure) {
        case null -> {}
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IOException(failure);
      }
    }
  }
}
