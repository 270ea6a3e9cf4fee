package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.Interrupts;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks every {@value #PERIOD_MILLIS} ms on one background thread of the process, which ends
 * with the last task. All methods may be called from any thread.
 */
final class MemoryWatch {

  static final long PERIOD_MILLIS = 2_000;

  private static final Set<Runnable> TASKS = ConcurrentHashMap.newKeySet();

  /** Guarded by the class. */
  private static @Nullable Thread thread;

  private MemoryWatch() {}

  /** Runs a task from now on. It must not throw. */
  static synchronized void add(Runnable task) {
    TASKS.add(task);
    if (thread == null) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("lucene-directories-memory-watch")
              .start(MemoryWatch::run);
    }
  }

  /** Ends the runs of a task; when it was the last, the thread has ended after this. */
  static void remove(Runnable task) {
    Thread ended;
    synchronized (MemoryWatch.class) {
      TASKS.remove(task);
      if (!TASKS.isEmpty() || thread == null) {
        return;
      }
      ended = thread;
      thread = null;
      ended.interrupt();
    }
    Interrupts.join(List.of(ended));
  }

  private static void run() {
    while (isCurrent()) {
      try {
        Thread.sleep(PERIOD_MILLIS);
      } catch (InterruptedException _) {
        continue;
      }
      TASKS.forEach(Runnable::run);
    }
  }

  private static synchronized boolean isCurrent() {
    return thread == Thread.currentThread();
  }
}
