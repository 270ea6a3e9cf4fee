package io.github.lucenedirectories.core;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Runs work on interruptible channels in a thread that may be interrupted. */
public final class Interrupts {

  private Interrupts() {}

  /** Work that opens a channel, uses it and closes it. */
  public interface Work<T> {
    /** Does the work, from the beginning each time. */
    T run() throws IOException;
  }

  /**
   * Does the work, again if an interrupt closed its channel, and restores the interrupt status of
   * this thread afterwards.
   */
  public static <T> T shield(Work<T> work) throws IOException {
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
