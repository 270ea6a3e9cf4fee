package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** What a thread does the same way whether it is interrupted or not. */
public final class Uninterruptibles {

  private Uninterruptibles() {}

  /** Work that opens a channel, uses it and closes it. */
  public interface Work<T> {
    /** Does the work, from the beginning each time. */
    T run() throws IOException;
  }

  /** Waits for the end of threads, and restores the interrupt status of this one afterwards. */
  public static void join(Iterable<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Does the work, again if an interrupt closed its channel, and restores the interrupt status of
   * this thread afterwards.
   */
  public static <T> T call(Work<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.run();
        } catch (ClosedByInterruptException _) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
