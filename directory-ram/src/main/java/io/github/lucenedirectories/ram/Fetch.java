package io.github.lucenedirectories.ram;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The fetch of one block by one thread, which others wait for. */
final class Fetch {

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable IOException failure;
  private volatile boolean cut;

  /** Says that the file has become shorter than it was, so that the block is not whole. */
  void markCut() {
    cut = true;
  }

  /**
   * Ends the fetch.
   *
   * @param failure what the file could not be read for; null if it could, or if the reason is no
   *     business of the threads that wait
   */
  void end(@Nullable IOException failure) {
    this.failure = failure;
    ended.countDown();
  }

  /**
   * Waits for the end of the fetch, whoever interrupts. Returns whether the block may be in the
   * cache now; if not, the caller has to read for himself.
   *
   * @throws IOException if the file could not be read
   */
  boolean await() throws IOException {
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
    IOException thrown = failure;
    if (thrown != null) {
      // One of its own for each thread: who catches it may add to it.
      throw new IOException("another thread could not read the block: " + thrown, thrown);
    }
    return !cut;
  }
}
