package io.github.lucenedirectories.ram;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The fetch of one block by one thread, which others wait for. */
final class Fetch {

  /** What a thread that wants bytes of the block does next. */
  enum Outcome {
    /** Nothing: it has them. */
    COPIED,
    /** It looks whether the block is in the cache, and else fetches it. */
    LOOK_AGAIN,
    /**
     * It reads past the cache: the file has become shorter, and what is left of the block may be
     * all that it wants.
     */
    CUT
  }

  private final CountDownLatch ended = new CountDownLatch(1);
  private Outcome outcome = Outcome.LOOK_AGAIN;
  private @Nullable IOException failure;

  /**
   * Ends the fetch, once.
   *
   * @param others what those who wait do next
   * @param thrown why the file could not be read, which they shall know
   */
  void end(Outcome others, @Nullable IOException thrown) {
    outcome = others;
    failure = thrown;
    ended.countDown();
  }

  /**
   * Waits for the end of the fetch, whoever interrupts.
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
      // One of its own for each thread: who catches it may add to it.
      throw new IOException("another thread could not read the block: " + failure, failure);
    }
    return outcome;
  }
}
