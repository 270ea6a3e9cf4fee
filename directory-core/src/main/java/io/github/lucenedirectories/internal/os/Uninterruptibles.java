package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.lucene.util.IOSupplier;

/** What a thread does the same way whether it is interrupted or not. */
public final class Uninterruptibles {

  private Uninterruptibles() {}

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
   * Does work that opens and closes a channel, again if an interrupt closed it, and restores the
   * interrupt status of this thread afterwards.
   */
  public static <T> T call(IOSupplier<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.get();
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
