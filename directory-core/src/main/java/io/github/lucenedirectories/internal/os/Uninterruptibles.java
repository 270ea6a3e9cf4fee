// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.lucene.util.IOSupplier;

/** Operations that interrupts do not affect. */
public final class Uninterruptibles {

  private Uninterruptibles() {}

  /** Waits for a thread to end, then restores the interrupt status of the calling thread. */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Runs work that opens and closes a channel, and repeats it if an interrupt closed the channel.
   * Restores the interrupt status of the calling thread afterwards.
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
