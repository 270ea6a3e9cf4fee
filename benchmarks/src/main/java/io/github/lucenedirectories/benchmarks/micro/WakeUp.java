package io.github.lucenedirectories.benchmarks.micro;

import java.io.Closeable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A parked thread, and how long it takes from its unparking until it runs: what handing work to a
 * thread in the background costs at least on this machine under its present load. For one caller at
 * a time.
 */
final class WakeUp implements Closeable {
  private static final long SETTLE_MILLIS = 1;

  private final Thread thread;
  private volatile boolean asked;
  private volatile boolean stopped;

  /** Who waits for the answer; written before {@link #asked}. */
  private @Nullable Thread caller;

  /** When the thread ran again; written before {@link #asked} is taken back. */
  private long ranNanos;

  private WakeUp() {
    thread = Thread.ofPlatform().daemon().name("wake-up").unstarted(this::run);
  }

  /** A new one, whose thread ends when it is closed. */
  static WakeUp start() {
    WakeUp wakeUp = new WakeUp();
    wakeUp.thread.start();
    return wakeUp;
  }

  private void run() {
    while (!stopped) {
      if (asked) {
        ranNanos = System.nanoTime();
        asked = false;
        LockSupport.unpark(caller);
      } else {
        LockSupport.park(this);
      }
    }
  }

  /** Wakes the thread once, and waits until it has run. */
  long nanos() throws InterruptedException {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(SETTLE_MILLIS);
    }
    caller = Thread.currentThread();
    long start = System.nanoTime();
    asked = true;
    LockSupport.unpark(thread);
    while (asked) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        throw new InterruptedException("while a thread woke up");
      }
    }
    return ranNanos - start;
  }

  /** Ends the thread. */
  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
  }
}
