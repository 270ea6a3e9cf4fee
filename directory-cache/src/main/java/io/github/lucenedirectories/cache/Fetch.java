// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The fetch of one block by one thread; other threads wait for it. */
final class Fetch {

  /** What a thread that wants the block does next. */
  enum Outcome {
    /** Nothing: it has the bytes. */
    COPIED,
    /** It looks the block up again, and fetches it on a miss. */
    LOOK_AGAIN,
    /**
     * It bypasses the cache: the file was truncated, and the rest of the block may have all the
     * wanted bytes.
     */
    CUT
  }

  private final CountDownLatch ended = new CountDownLatch(1);
  private Outcome outcome = Outcome.LOOK_AGAIN;
  private @Nullable IOException failure;

  /**
   * Ends the fetch, once.
   *
   * @param others what the waiting threads do next
   * @param thrown why the file could not be read, or null; passed on to the waiting threads
   */
  void end(Outcome others, @Nullable IOException thrown) {
    outcome = others;
    failure = thrown;
    ended.countDown();
  }

  /**
   * Waits for the end of the fetch, even if interrupted.
   *
   * @throws IOException if the file could not be read
   */
  Outcome await() throws IOException {
    boolean interrupted = false;
    while (true) {
      try {
        ended.await();
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      // Each thread gets its own exception, because callers may add to it.
      throw new IOException("another thread could not read the block: " + failure, failure);
    }
    return outcome;
  }
}
