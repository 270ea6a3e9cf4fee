package io.github.lucenedirectories.core;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of the process that direct reads and writes wait on; they end when they are idle.
 * Whoever reads through the page cache, as queries do, is served by the device before them.
 */
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
          newThreads());

  static {
    POOL.allowCoreThreadTimeOut(true);
  }

  private DirectThreads() {}

  private static ThreadFactory newThreads() {
    ThreadFactory factory =
        Thread.ofPlatform()
            .daemon()
            .name("lucene-directories-direct-io-", 0)
            .inheritInheritableThreadLocals(false)
            .factory();
    return work ->
        factory.newThread(
            () -> {
              NativeCalls.get().ifPresent(calls -> calls.files().yieldDevices());
              work.run();
            });
  }

  /** Runs a task, which must not throw, as soon as a thread is free. */
  static void run(Runnable task) {
    POOL.execute(task);
  }
}
