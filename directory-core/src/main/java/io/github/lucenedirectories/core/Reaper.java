package io.github.lucenedirectories.core;

import java.io.Closeable;
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
 * the latest in {@link #close}. When more than {@value #MAX_WAITING} arenas or {@value
 * #MAX_WAITING_BYTES} bytes wait, whoever retires one more closes one himself, so that what waits
 * stays bounded. All methods may be called from any thread.
 */
public final class Reaper implements Closeable {

  /*
   * Arena.close refuses with IllegalStateException while a native call (a FileChannel write from a
   * view of the segment, say) holds one of the arena's segments; there is no event to wait for, so
   * such an arena is tried again a little later.
   */

  private static final long IDLE_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 1;

  private static final int MAX_WAITING = 1_024;
  private static final long MAX_WAITING_BYTES = 1L << 28;

  /** How long {@link #close} goes on trying arenas that native calls hold. */
  private static final long CLOSE_PATIENCE_MILLIS = 30_000;

  private static final AtomicInteger NEXT_THREAD = new AtomicInteger();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<CountedArena> retired = new ArrayDeque<>();
  private long retiredBytes;
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * Hands over an arena to be closed. The caller must not use it again. On a closed reaper the
   * arena is closed before this method returns.
   */
  public void retire(CountedArena arena) {
    CountedArena own;
    lock.lock();
    try {
      add(arena);
      boolean full = retired.size() > MAX_WAITING || retiredBytes > MAX_WAITING_BYTES;
      own = closed || full ? poll() : null;
      if (!closed && thread == null) {
        thread =
            Thread.ofPlatform()
                .daemon()
                .name("lucene-directories-reaper-" + NEXT_THREAD.incrementAndGet())
                .start(this::run);
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
    if (own != null) {
      closeWithin(own, deadline());
    }
  }

  private void add(CountedArena arena) {
    retired.add(arena);
    retiredBytes += arena.bytes();
  }

  private @Nullable CountedArena poll() {
    CountedArena arena = retired.poll();
    if (arena != null) {
      retiredBytes -= arena.bytes();
    }
    return arena;
  }

  private void run() {
    CountedArena arena = next();
    while (arena != null) {
      if (!tryClose(arena)) {
        sleepBeforeRetry();
        lock.lock();
        try {
          add(arena);
        } finally {
          lock.unlock();
        }
      }
      arena = next();
    }
  }

  /** The next arena to close; null when the thread is to end. */
  private @Nullable CountedArena next() {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
      while (!closed && retired.isEmpty() && nanos > 0) {
        try {
          nanos = changed.awaitNanos(nanos);
        } catch (InterruptedException _) {
          // A stranger's interrupt means nothing to this thread.
        }
      }
      CountedArena arena = closed ? null : poll();
      if (arena == null) {
        thread = null;
      }
      return arena;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes all arenas that were retired so far and ends the thread. Arenas that native calls hold
   * longer than {@value #CLOSE_PATIENCE_MILLIS} ms are left to leak: their memory stays valid for
   * those calls.
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
    long deadline = deadline();
    while (true) {
      CountedArena arena;
      lock.lock();
      try {
        arena = poll();
      } finally {
        lock.unlock();
      }
      if (arena == null) {
        return;
      }
      closeWithin(arena, deadline);
    }
  }

  private static long deadline() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_PATIENCE_MILLIS);
  }

  private static void closeWithin(CountedArena arena, long deadline) {
    while (!tryClose(arena) && System.nanoTime() < deadline) {
      sleepBeforeRetry();
    }
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
