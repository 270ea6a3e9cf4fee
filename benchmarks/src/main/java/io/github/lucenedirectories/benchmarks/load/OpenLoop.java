// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one step by its own clock (an open loop): every request has a virtual
 * thread that starts at the planned moment, whatever the server does, and every latency begins at
 * that moment. If all connections are busy a request waits for one, which is part of its latency.
 * For one thread, once.
 */
public final class OpenLoop {
  private static final long LEAD_NANOS = 5_000_000;

  private final String what;
  private final StepClock clock;
  private final Sender sender;
  private final Semaphore connections;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private volatile boolean over;

  /** Asks the query of a number, and waits for the answer; an exception fails the step. */
  public interface Sender {
    Outcome send(int query) throws IOException;
  }

  /** What became of a request: one that was given up has no answer. */
  public enum Outcome {
    DONE,
    FAILED,
    GIVEN_UP
  }

  /** For the requests of a clock; {@code what} is the subject of the message if one breaks. */
  public OpenLoop(String what, StepClock clock, int mostConnections, Sender sender) {
    this.what = what;
    this.clock = clock;
    this.connections = new Semaphore(mostConnections, true);
    this.sender = sender;
  }

  /** Sends the requests, and waits so long after the end for late answers. */
  public StepResult run(double patienceSeconds) throws IOException {
    clock.start(System.nanoTime() + LEAD_NANOS);
    try {
      for (int next = 0; next < clock.size(); next++) {
        int number = next;
        long now = waitUntil(clock.due(number));
        threads.execute(() -> request(number, clock.query(number)));
        clock.sent(number, now);
      }
      waitUntil(clock.end());
      int stuck = waiting.get();
      awaitEnd(patienceSeconds);
      return clock.result(stuck, System.nanoTime());
    } finally {
      over = true;
    }
  }

  private void request(int number, int query) {
    try {
      if (!connections.tryAcquire()) {
        waiting.incrementAndGet();
        connections.acquireUninterruptibly();
        waiting.decrementAndGet();
      }
      try {
        if (!over) {
          Outcome outcome = sender.send(query);
          long now = System.nanoTime();
          if (outcome != Outcome.GIVEN_UP) {
            clock.answered(number, outcome == Outcome.DONE, now);
          }
        }
      } finally {
        connections.release();
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Waits, and returns the time then. */
  private long waitUntil(long moment) {
    for (long now = System.nanoTime(); ; now = System.nanoTime()) {
      if (moment - now <= 0) {
        return now;
      }
      check();
      LockSupport.parkNanos(this, moment - now);
    }
  }

  private void check() {
    Exception e = failure.get();
    if (e != null) {
      throw new RunFailedException(what + " broke: " + e, e);
    }
  }

  /** Whether all requests, of which there will be no more, have ended within a time. */
  public boolean awaitEnd(double seconds) throws IOException {
    threads.shutdown();
    try {
      return threads.awaitTermination((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      check();
    }
  }
}
