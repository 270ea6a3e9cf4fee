package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** An interrupt neither ends the waiting for threads nor is lost. */
public class UninterruptiblesTest extends LibraryTestCase {

  public void testJoin() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Thread waited =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            "waited-for");
    waited.start();
    Thread current = Thread.currentThread();
    Thread ender =
        new Thread(
            () -> {
              // The interrupt was noticed: the first join has thrown.
              while (current.isInterrupted()) {
                Thread.onSpinWait();
              }
              end.countDown();
            },
            "ender");
    current.interrupt();
    ender.start();
    Uninterruptibles.join(List.of(waited));
    assertTrue(Thread.interrupted());
    assertFalse(waited.isAlive());
    ender.join();
  }
}
