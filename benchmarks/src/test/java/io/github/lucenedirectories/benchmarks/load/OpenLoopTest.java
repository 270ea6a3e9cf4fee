// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests are issued at their times, whatever their answers do. */
class OpenLoopTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  private static StepClock clock() {
    return new StepClock(200, 0.2, 1, 5, 7);
  }

  private StepResult run(int millis, double patienceSeconds) throws IOException {
    OpenLoop.Sender sender =
        _ -> {
          running.incrementAndGet();
          begun.incrementAndGet();
          long end = System.nanoTime() + millis * 1_000_000L;
          while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
          }
          running.decrementAndGet();
        };
    return new OpenLoop(clock(), threads, sender).run(patienceSeconds);
  }

  @Test
  void allAreAnsweredAndCounted() throws IOException {
    StepResult result = run(1, 20);
    assertEquals(clock().size(), begun.get());
    assertEquals(result.planned(), result.sent());
    assertEquals(result.requests(), result.latency().count());
    assertEquals(0, result.unanswered());
    assertTrue(result.latency().millis("p50") >= 1, result.toString());
  }

  /** Ten times more than two threads can do: latencies grow, and what still waits is dropped. */
  @Test
  void requestsThatStillWaitAreDropped() throws IOException {
    StepResult result = run(100, 0.01);
    assertEquals(result.planned(), result.sent(), "sent at their times, though the threads stall");
    assertTrue(result.unanswered() > result.requests() / 2, result.toString());
    assertTrue(result.latency().millis("p99") > 500, result.toString());
    int ended = begun.get();
    assertTrue(ended < result.planned() / 2, "begun " + ended);
    assertEquals(0, running.get());
    LockSupport.parkNanos(300_000_000);
    assertEquals(ended, begun.get(), "begun after the end");
  }

  @Test
  void aRequestThatFailsFailsTheStep() {
    OpenLoop.Sender sender =
        query -> {
          throw new IOException("no query " + query);
        };
    IOException e =
        assertThrows(IOException.class, () -> new OpenLoop(clock(), threads, sender).run(1));
    assertTrue(String.valueOf(e.getMessage()).contains("no query"), e.toString());
  }
}
