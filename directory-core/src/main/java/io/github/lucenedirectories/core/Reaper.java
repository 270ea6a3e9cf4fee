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

  /** How long {@link #drain} goes on trying and waiting. */
  private static final long DRAIN_PATIENCE_MILLIS = 1_000;

  private static final AtomicInteger NEXT_THREAD = new AtomicInteger();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<CountedArena> retired = new ArrayDeque<>();
  private long retiredBytes;

  /** Arenas taken from {@link #retired} that are not closed yet. */
  private int closing;

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
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (own != null) {
      closeWithin(own, deadline(CLOSE_PATIENCE_MILLIS));
    }
  }

  private void add(CountedArena arena) {
    retired.add(arena);
    retiredBytes += arena.bytes();
  }

  /** Takes an arena, which {@link #close(CountedArena)} must be given. */
  private @Nullable CountedArena poll() {
    CountedArena arena = retired.poll();
    if (arena != null) {
      retiredBytes -= arena.bytes();
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
          add(arena);
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
    return done;
  }

  private void run() {
    CountedArena arena = next();
    while (arena != null) {
      if (!close(arena)) {
        sleepBeforeRetry();
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
    closeAll(deadline(CLOSE_PATIENCE_MILLIS));
  }

  /**
   * Closes, before it returns, the arenas that were retired so far. Arenas that native calls hold
   * for longer than {@value #DRAIN_PATIENCE_MILLIS} ms are left for later.
   */
  void drain() {
    long deadline = deadline(DRAIN_PATIENCE_MILLIS);
    closeAll(deadline);
    boolean interrupted = false;
    lock.lock();
    try {
      for (long nanos = 1; closing > 0 && nanos > 0; nanos = deadline - System.nanoTime()) {
        try {
          changed.awaitNanos(nanos);
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      lock.unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll(long deadline) {
    int waiting;
    lock.lock();
    try {
      waiting = retired.size();
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < waiting; i++) {
      CountedArena arena;
      lock.lock();
      try {
        arena = poll();
      } finally {
        lock.unlock();
      }
      if (arena != null) {
        closeWithin(arena, deadline);
      }
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
