package io.github.lucenedirectories.core;

import java.io.Closeable;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Closes shared arenas on a background thread, so that no caller waits for the handshake with all
 * threads that such a close needs.
 *
 * <p>Until the reaper gets to it, memory of a retired arena stays readable; afterwards every access
 * fails. Memory is never given to another file before that. A directory owns its reaper: the thread
 * starts with the first retired arena, ends when it was idle for {@value #IDLE_MILLIS} ms and at
 * the latest in {@link #close}. All methods may be called from any thread.
 */
public final class Reaper implements Closeable {

  /*
   * Arena.close refuses with IllegalStateException while a native call (a FileChannel write from a
   * view of the segment, say) holds one of the arena's segments; there is no event to wait for, so
   * such an arena is tried again a little later.
   */

  private static final long IDLE_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 1;

  /** How long {@link #close} goes on trying an arena that a native call holds. */
  private static final long CLOSE_PATIENCE_MILLIS = 30_000;

  private static final AtomicInteger NEXT_THREAD = new AtomicInteger();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Arena> retired = new ArrayDeque<>();
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * Hands over an arena to be closed. The caller must not use it again. On a closed reaper the
   * arena is closed before this method returns.
   */
  public void retire(Arena arena) {
    lock.lock();
    try {
      if (!closed) {
        retired.add(arena);
        if (thread == null) {
          thread =
              Thread.ofPlatform()
                  .daemon()
                  .name("lucene-directories-reaper-" + NEXT_THREAD.incrementAndGet())
                  .start(this::run);
        }
        changed.signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    closeNow(arena);
  }

  private void run() {
    while (true) {
      Arena arena;
      lock.lock();
      try {
        long nanos = TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
        while (!closed && retired.isEmpty() && nanos > 0) {
          nanos = changed.awaitNanos(nanos);
        }
        if (closed || retired.isEmpty()) {
          thread = null;
          return;
        }
        arena = retired.remove();
      } catch (InterruptedException _) {
        // Nobody but a stranger interrupts this thread: end it, the next retired arena starts
        // another.
        thread = null;
        return;
      } finally {
        lock.unlock();
      }
      if (!tryClose(arena)) {
        sleepBeforeRetry();
        lock.lock();
        try {
          retired.add(arena);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  /**
   * Closes all arenas that were retired so far and ends the thread. An arena that a native call
   * holds longer than {@value #CLOSE_PATIENCE_MILLIS} ms is left to leak: its memory stays valid
   * for that call.
   */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      running = thread;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (running != null && running != Thread.currentThread()) {
      joinUninterruptibly(running);
    }
    while (true) {
      Arena arena;
      lock.lock();
      try {
        arena = retired.poll();
      } finally {
        lock.unlock();
      }
      if (arena == null) {
        return;
      }
      closeNow(arena);
    }
  }

  private static void closeNow(Arena arena) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_PATIENCE_MILLIS);
    while (!tryClose(arena) && System.nanoTime() < deadline) {
      sleepBeforeRetry();
    }
  }

  /** Returns false if a native call holds the arena at this moment. */
  private static boolean tryClose(Arena arena) {
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

  private static void joinUninterruptibly(Thread running) {
    boolean interrupted = false;
    while (true) {
      try {
        running.join();
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
