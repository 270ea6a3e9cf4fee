package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.BackgroundThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The process's threads for direct writes; they end when they are idle. */
final class DirectThreads {

  private static final int THREADS = 4;
  private static final long IDLE_MILLIS = 100;

  private static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_MILLIS,
          TimeUnit.MILLISECONDS,
          new LinkedBlockingQueue<>(),
          BackgroundThread.factory("direct-write"));

  static {
    POOL.allowCoreThreadTimeOut(true);
  }

  private DirectThreads() {}

  /**
   * Runs a task, which must not throw, as soon as a thread is free; on the calling thread if the
   * system allows no more threads.
   */
  static void run(Runnable task) {
    try {
      POOL.execute(task);
    } catch (OutOfMemoryError _) {
      task.run();
    }
  }
}
