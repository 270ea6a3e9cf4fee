// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Issues the requests of one step by its own clock (an open loop): every request is queued at its
 * planned moment, whether or not earlier ones have been answered, and every latency begins at that
 * moment. A request that waits for a thread waits in the executor's queue, which should have no
 * bound. For one thread, once.
 */
public final class OpenLoop {
  private static final long LEAD_NANOS = 5_000_000;
  private static final double END_SECONDS = 120;

  private final StepClock clock;
  private final Executor threads;
  private final Sender sender;
  private final CountDownLatch pending;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private volatile boolean over;

  /** Runs the query of a number to its end; an exception fails the step. */
  public interface Sender {
    void send(int query) throws IOException;
  }

  public OpenLoop(StepClock clock, Executor threads, Sender sender) {
    this.clock = clock;
    this.threads = threads;
    this.sender = sender;
    this.pending = new CountDownLatch(clock.size());
  }

  /**
   * Issues the requests, and waits for late answers for a time after the end. What is still queued
   * then is dropped; when this returns no request is running.
   */
  public StepResult run(double patienceSeconds) throws IOException {
    clock.start(System.nanoTime() + LEAD_NANOS);
    StepResult result;
    try {
      for (int next = 0; next < clock.size(); next++) {
        int number = next;
        long now = waitUntil(clock.due(number));
        threads.execute(() -> request(number));
        clock.sent(number, now);
      }
      waitUntil(clock.end());
      awaitPending(patienceSeconds);
      result = clock.result(System.nanoTime());
    } finally {
      over = true;
    }
    if (!awaitPending(END_SECONDS)) {
      throw new IOException("a request takes more than " + END_SECONDS + " s");
    }
    return result;
  }

  private void request(int number) {
    try {
      if (!over) {
        sender.send(clock.query(number));
        clock.answered(number, System.nanoTime());
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
    } finally {
      pending.countDown();
    }
  }

  /** Waits, and returns the time then. */
  private long waitUntil(long moment) throws IOException {
    for (long now = System.nanoTime(); ; now = System.nanoTime()) {
      if (moment - now <= 0) {
        return now;
      }
      checkFailure();
      LockSupport.parkNanos(this, moment - now);
    }
  }

  private void checkFailure() throws IOException {
    Exception e = failure.get();
    if (e != null) {
      throw new IOException("a request failed: " + e, e);
    }
  }

  private boolean awaitPending(double seconds) throws IOException {
    try {
      return pending.await((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      checkFailure();
    }
  }
}
