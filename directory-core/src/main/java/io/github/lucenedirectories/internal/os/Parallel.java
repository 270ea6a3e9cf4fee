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
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOUtils;
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
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Semaphore ended = new Semaphore(0);
    Runnable run =
        () -> {
          try {
            for (int i = next.getAndIncrement();
                i < items.size() && failure.get() == null;
                i = next.getAndIncrement()) {
              task.accept(items.get(i));
            }
          } catch (Throwable t) {
            Throwable first = failure.compareAndExchange(null, t);
            if (first != null && first != t) {
              first.addSuppressed(t);
            }
          } finally {
            ended.release();
          }
        };
    int begun = 0;
    try {
      for (; begun < Math.min(threads, items.size()); begun++) {
        THREADS.execute(run);
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
    Throwable failed = failure.get();
    if (failed != null) {
      throw IOUtils.rethrowAlways(failed);
    }
  }
}
