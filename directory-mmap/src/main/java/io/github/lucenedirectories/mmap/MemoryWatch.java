package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.Interrupts;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks every {@value #PERIOD_MILLIS} ms on one background thread of the process, which ends
 * with the last task. What a task throws is logged. All methods may be called from any thread.
 */
final class MemoryWatch {

  static final long PERIOD_MILLIS = 2_000;

  private static final Logger LOG = Logger.getLogger(MemoryWatch.class.getName());

  private static final Set<Runnable> TASKS = ConcurrentHashMap.newKeySet();

  /** Guarded by the class. */
  private static @Nullable Thread thread;

  private MemoryWatch() {}

  /** Runs a task from now on. */
  static synchronized void add(Runnable task) {
    TASKS.add(task);
    if (thread == null) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("lucene-directories-memory-watch")
              .inheritInheritableThreadLocals(false)
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
      TASKS.forEach(MemoryWatch::run);
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      // One index whose memory cannot be told must not end the watch for all others.
      LOG.log(Level.WARNING, e, () -> "the memory of an index cannot be watched: " + task);
    }
  }

  private static synchronized boolean isCurrent() {
    return thread == Thread.currentThread();
  }
}
