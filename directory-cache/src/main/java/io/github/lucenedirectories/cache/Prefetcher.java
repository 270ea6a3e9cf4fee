// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.internal.os.BackgroundThread;
import java.io.Closeable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that fetch blocks in the background, and end after a second without work. */
final class Prefetcher implements Closeable {

  private static final int THREADS = 4;

  /** Most waiting fetches; further ones are discarded. */
  private static final int MOST_WAITING = 1_024;

  private static final long IDLE_SECONDS = 1;

  private final LinkedBlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          waiting,
          BackgroundThread.factory("prefetch"),
          new ThreadPoolExecutor.DiscardPolicy());

  Prefetcher() {
    threads.allowCoreThreadTimeOut(true);
  }

  void submit(Runnable fetch) {
    try {
      threads.execute(fetch);
    } catch (OutOfMemoryError _) {
      // The system allows no more threads: the read of the block will fetch it.
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    waiting.clear();
    // An interrupt must not reach the fetches: it would close channels of the other directory.
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
