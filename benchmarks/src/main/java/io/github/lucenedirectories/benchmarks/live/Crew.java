package io.github.lucenedirectories.benchmarks.live;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Threads that work until a window is over; if one fails, it is over for all. For one thread. */
public final class Crew {
  private static final long LOOK_NANOS = 20_000_000;

  private final Window window;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Of a run's threads. */
  public Crew(Window window) {
    this.window = window;
  }

  /** What one thread does until the window is over. */
  public interface Work {
    /** Works, and looks at the window now and then. */
    void run() throws IOException;
  }

  /** A condition that is looked at now and then. */
  public interface Condition {
    /** Whether it holds now. */
    boolean holds();
  }

  /** Starts one more thread. */
  public void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
                window.abandon();
              }
            },
            name);
    threads.add(thread);
    thread.start();
  }

  /** Waits until a condition holds or a thread has failed. */
  public void await(Condition condition) {
    while (!condition.holds() && !window.isOver()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /**
   * Waits for the threads' end, which the window brings about.
   *
   * @throws IOException what the first one that failed has thrown
   */
  public void join() throws IOException {
    window.abandon();
    // Some sleep until something is due.
    threads.forEach(LockSupport::unpark);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IOException("a thread of the workload failed: " + thrown, thrown);
    }
  }
}
