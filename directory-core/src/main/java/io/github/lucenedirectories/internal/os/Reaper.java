// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.Closeable;
import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
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
    CountedArena own;
    lock.lock();
    try {
      if (leave(arena)) {
        own = null;
      } else {
        own = arena;
        closing++;
      }
      if (retired.size() == BATCH) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (own != null) {
      closeWithin(own, deadline(CLOSE_PATIENCE_MILLIS));
    }
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

  /** Takes an arena, which the caller must pass to {@link #close(CountedArena)}. */
  private @Nullable CountedArena poll() {
    CountedArena arena = retired.poll();
    if (arena != null) {
      closing++;
    }
    return arena;
  }

  /** Closes an arena, or keeps it for later if a native call holds it at this moment. */
  private boolean close(CountedArena arena) {
    boolean done = false;
    try {
      done = tryClose(arena);
    } finally {
      lock.lock();
      try {
        closing--;
        if (!done) {
          retired.add(arena);
        }
        changed.signalAll();
      } finally {
        lock.unlock();
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
          if (!ended && !closeBatch()) {
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
  private boolean awaitBatch() {
    lock.lock();
    try {
      long deadline = deadline(IDLE_MILLIS);
      do {
        await(BATCH_MILLIS, () -> closed || retired.size() >= BATCH);
      } while (!closed && retired.isEmpty() && System.nanoTime() < deadline);
      if (closed || retired.isEmpty()) {
        thread = null;
        return false;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a condition with a timeout, despite interrupts. The lock is held. */
  private void await(long millis, BooleanSupplier condition) {
    boolean interrupted = false;
    long deadline = deadline(millis);
    for (long nanos = 1; !condition.getAsBoolean() && nanos > 0; ) {
      try {
        nanos = changed.awaitNanos(deadline - System.nanoTime());
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
    lock.lock();
    try {
      closed = true;
      isOpen.set(false);
      running = thread;
      changed.signalAll();
    } finally {
      lock.unlock();
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
    long deadline = deadline(DRAIN_PATIENCE_MILLIS);
    closeAll(deadline);
    lock.lock();
    try {
      await(DRAIN_PATIENCE_MILLIS, () -> closing == 0);
    } finally {
      lock.unlock();
    }
  }

  /** Tries to close each waiting arena once; returns whether all were closed. */
  private boolean closeBatch() {
    boolean all = true;
    for (int left = waiting(); left > 0; left--) {
      CountedArena arena = take();
      all &= arena == null || close(arena);
    }
    return all;
  }

  private void closeAll(long deadline) {
    for (int left = waiting(); left > 0; left--) {
      CountedArena arena = take();
      if (arena != null) {
        closeWithin(arena, deadline);
      }
    }
  }

  private int waiting() {
    lock.lock();
    try {
      return retired.size();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable CountedArena take() {
    lock.lock();
    try {
      return poll();
    } finally {
      lock.unlock();
    }
  }

  private static long deadline(long patienceMillis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  /** Closes an arena; one that is still held at the deadline is kept for later. */
  private void closeWithin(CountedArena arena, long deadline) {
    while (System.nanoTime() < deadline && !tryClose(arena)) {
      sleepBeforeRetry();
    }
    close(arena);
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
