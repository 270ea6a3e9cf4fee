// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.Closeable;
import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes shared arenas on a background thread. Such a close needs a handshake with all threads;
 * callers do not wait for it.
 *
 * <p>The memory of a retired arena stays readable until the reaper closes the arena; afterwards
 * every access fails. Memory is never given to another file before that. A directory owns its
 * reaper. The thread starts with the first retired arena, closes all waiting arenas every {@value
 * #BATCH_MILLIS} ms, and ends after {@value #IDLE_MILLIS} idle ms or in {@link #close}. While
 * {@value #MAX_WAITING} arenas wait, a thread that retires another one closes it itself, which
 * bounds their number. All methods may be called from any thread.
 */
public final class Reaper implements Closeable {

  /*
   * Arena.close refuses with IllegalStateException while a native call (a FileChannel write from a
   * view of the segment, say) holds one of the arena's segments. There is no event to wait for, so
   * the reaper retries such an arena later.
   */

  private static final long IDLE_MILLIS = 5_000;

  /**
   * How long the thread lets arenas gather. It polls: if all processors are busy, waking it would
   * preempt the thread that retires an arena for milliseconds.
   */
  private static final long BATCH_MILLIS = 20;

  private static final long RETRY_MILLIS = 1;

  /** By default a process may have 65,530 mappings ({@code vm.max_map_count}). */
  private static final int MAX_WAITING = 8_192;

  /** The largest batch: the thread does not wait for more arenas. */
  private static final int BATCH = MAX_WAITING / 8;

  /** How long {@link #close} retries arenas that native calls hold. */
  private static final long CLOSE_PATIENCE_MILLIS = 30_000;

  /** How long {@link #drain} retries and waits. */
  private static final long DRAIN_PATIENCE_MILLIS = 1_000;

  private final ArrayDeque<CountedArena> retired = new ArrayDeque<>();

  /** Arenas taken from {@link #retired} that are not closed yet. */
  private int closing;

  /** Written under the lock, or by the thread itself when it ends. */
  private volatile @Nullable Thread thread;

  private boolean closed;

  private final AtomicBoolean isOpen = new AtomicBoolean(true);
  private final Cleaner.Cleanable dropped;

  /** The reaper of a directory without a name. */
  public Reaper() {
    this("a directory in memory");
  }

  /**
   * A reaper.
   *
   * @param owner names the directory in the log if it is dropped without close
   */
  public Reaper(String owner) {
    AtomicBoolean wasOpen = isOpen;
    dropped = Dropped.watch(this, owner, () -> wasOpen.compareAndSet(true, false));
  }

  /**
   * Hands over an arena to be closed. The caller must not use it again. On a closed reaper the
   * arena is closed before this method returns.
   */
  public void retire(CountedArena arena) {
    synchronized (this) {
      if (leave(arena)) {
        if (retired.size() == BATCH) {
          notifyAll();
        }
        return;
      }
      closing++;
    }
    closeWithin(arena, deadline(CLOSE_PATIENCE_MILLIS));
  }

  /** Returns false if the arena must be closed at once. The lock is held. */
  private boolean leave(CountedArena arena) {
    if (closed || retired.size() >= MAX_WAITING || (thread == null && !startThread())) {
      return false;
    }
    try {
      retired.add(arena);
      return true;
    } catch (OutOfMemoryError _) {
      return false;
    }
  }

  /** Returns false where the system allows no more threads. */
  private boolean startThread() {
    try {
      Thread started = BackgroundThread.unstarted("reaper", this::run);
      thread = started;
      started.start();
      return true;
    } catch (OutOfMemoryError _) {
      thread = null;
      return false;
    }
  }

  /** Closes an arena, or keeps it for later if a native call holds it at this moment. */
  private boolean close(CountedArena arena) {
    boolean done = false;
    try {
      done = tryClose(arena);
    } finally {
      synchronized (this) {
        closing--;
        if (!done) {
          retired.add(arena);
        }
        notifyAll();
      }
    }
    return done;
  }

  private void run() {
    try {
      boolean ended = false;
      while (!ended) {
        try {
          ended = !awaitBatch();
          if (!ended && !closeAll(deadline(0))) {
            sleepBeforeRetry();
          }
        } catch (OutOfMemoryError _) {
          // The heap is full at this moment: arenas must be closed all the same.
          sleepBeforeRetry();
        }
      }
    } catch (Throwable t) {
      // The next arena starts another thread.
      thread = null;
      throw t;
    }
  }

  /** Waits for a batch of arenas; returns false if the thread must end. */
  private synchronized boolean awaitBatch() {
    long deadline = deadline(IDLE_MILLIS);
    do {
      await(BATCH_MILLIS, () -> closed || retired.size() >= BATCH);
    } while (!closed && retired.isEmpty() && System.nanoTime() < deadline);
    if (closed || retired.isEmpty()) {
      thread = null;
      return false;
    }
    return true;
  }

  /** Waits for a condition with a timeout, despite interrupts. */
  private synchronized void await(long millis, BooleanSupplier condition) {
    boolean interrupted = false;
    long deadline = deadline(millis);
    for (long nanos = 1; !condition.getAsBoolean() && nanos > 0; ) {
      try {
        nanos = deadline - System.nanoTime();
        TimeUnit.NANOSECONDS.timedWait(this, nanos);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Closes all arenas that were retired so far and ends the thread. Arenas that native calls hold
   * for longer than {@value #CLOSE_PATIENCE_MILLIS} ms leak: their memory stays valid for those
   * calls.
   */
  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      closed = true;
      isOpen.set(false);
      running = thread;
      notifyAll();
    }
    if (running != null && running != Thread.currentThread()) {
      Uninterruptibles.join(running);
    }
    closeAll(deadline(CLOSE_PATIENCE_MILLIS));
    dropped.clean();
  }

  /**
   * Closes the arenas retired so far before it returns. Arenas that native calls hold for longer
   * than {@value #DRAIN_PATIENCE_MILLIS} ms are left for later.
   */
  public void drain() {
    closeAll(deadline(DRAIN_PATIENCE_MILLIS));
    await(DRAIN_PATIENCE_MILLIS, () -> closing == 0);
  }

  /** Closes the arenas that wait now; returns false if native calls hold some at the deadline. */
  private boolean closeAll(long deadline) {
    boolean all = true;
    for (int left = waiting(); left > 0; left--) {
      CountedArena arena = take();
      all &= arena == null || closeWithin(arena, deadline);
    }
    return all;
  }

  private synchronized int waiting() {
    return retired.size();
  }

  /** Takes an arena, which the caller must pass to {@link #close(CountedArena)}. */
  private synchronized @Nullable CountedArena take() {
    CountedArena arena = retired.poll();
    if (arena != null) {
      closing++;
    }
    return arena;
  }

  private static long deadline(long patienceMillis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  /** Closes an arena; one that is still held at the deadline is kept for later. */
  private boolean closeWithin(CountedArena arena, long deadline) {
    while (System.nanoTime() < deadline && !tryClose(arena)) {
      sleepBeforeRetry();
    }
    return close(arena);
  }

  /** Returns false if a native call holds the arena at this moment. */
  private static boolean tryClose(CountedArena arena) {
    try {
      arena.close();
      return true;
    } catch (IllegalStateException _) {
      return !arena.scope().isAlive();
    }
  }

  private static void sleepBeforeRetry() {
    boolean interrupted = Thread.interrupted();
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException _) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
