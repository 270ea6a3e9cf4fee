// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.BackgroundThread;
import io.github.lucenedirectories.internal.os.ProcFs;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Checks the memory every {@value #PERIOD_MILLIS} ms, and {@value #CHECKS} times as often while not
 * all files fit, on one background thread of the process. The thread ends when no watched file is
 * open any more. All methods may be called from any thread.
 */
final class MemoryWatch {

  static final long PERIOD_MILLIS = 2_000;

  private static final int CHECKS = 8;

  /** When this share of the page cache was loaded, all of it may soon have been replaced. */
  private static final int LOADED_SHARE = 16;

  private static final Logger LOG = Logger.getLogger(MemoryWatch.class.getName());

  private static final Set<MemoryPressure> WATCHED = ConcurrentHashMap.newKeySet();

  /** Written under the lock of the class, or by the thread itself when it ends. */
  private static volatile @Nullable Thread thread;

  private MemoryWatch() {}

  /** Checks {@code pressure} regularly from now on. */
  static void add(MemoryPressure pressure) {
    if (WATCHED.add(pressure) || thread == null) {
      start();
    }
  }

  static void remove(MemoryPressure pressure) {
    if (WATCHED.remove(pressure) && WATCHED.isEmpty()) {
      Thread running = thread;
      if (running != null) {
        running.interrupt();
      }
    }
  }

  private static synchronized void start() {
    if (thread == null && !WATCHED.isEmpty()) {
      Thread started = BackgroundThread.unstarted("memory-watch", MemoryWatch::run);
      try {
        thread = started;
        started.start();
      } catch (OutOfMemoryError _) {
        // The system allows no more threads. The next file that is opened tries again.
        thread = null;
      }
    }
  }

  private static void run() {
    try {
      long lastReads = 0;
      for (int look = 1; !isEnded(); look++) {
        try {
          long least = leastScarceBytes();
          Thread.sleep(least < Long.MAX_VALUE ? PERIOD_MILLIS / CHECKS : PERIOD_MILLIS);
          WATCHED.forEach(MemoryWatch::check);
          long reads = ProcFs.deviceReadBytes().orElse(-1);
          boolean unknown = reads < 0 && least < Long.MAX_VALUE;
          if (unknown ? look % CHECKS == 0 : reads - lastReads > least / LOADED_SHARE) {
            lastReads = reads;
            MappedPages.tick();
          }
        } catch (InterruptedException | OutOfMemoryError _) {
          // The last file was closed, or the heap is full: the next check may find memory.
        }
      }
    } catch (Throwable t) {
      // The next file that is opened starts another thread.
      thread = null;
      throw t;
    }
  }

  /** The least page cache of those whose files do not all fit; {@code MAX_VALUE} for none. */
  static long leastScarceBytes() {
    return WATCHED.stream()
        .map(MemoryPressure::lastState)
        .filter(state -> state.level() != MemoryPressure.Level.PLENTY)
        .mapToLong(MemoryPressure.State::memoryBytes)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static synchronized boolean isEnded() {
    if (WATCHED.isEmpty()) {
      thread = null;
    }
    return thread != Thread.currentThread();
  }

  private static void check(MemoryPressure pressure) {
    try {
      pressure.check();
    } catch (RuntimeException e) {
      // The user's memory callback: if one fails, the watch must not end for all others.
      LOG.log(Level.WARNING, "the memory of hybrid directories cannot be watched", e);
    }
  }
}
