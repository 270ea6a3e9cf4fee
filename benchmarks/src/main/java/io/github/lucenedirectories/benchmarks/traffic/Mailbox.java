package io.github.lucenedirectories.benchmarks.traffic;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a client's receiving thread leaves for the one that sends. */
final class Mailbox {
  private final Map<Byte, String> texts = new HashMap<>();
  private long step;
  private @Nullable StepClock clock;
  private volatile @Nullable Exception failure;

  /** From now on answers belong to a step. */
  synchronized void begin(long number, StepClock itsClock) {
    step = number;
    clock = itsClock;
  }

  /** Answers that still come are too late for anything. */
  synchronized void end() {
    clock = null;
  }

  /** An answer came; those of earlier steps are dropped. */
  synchronized void answered(long ofStep, int number, boolean done, long now) throws PeerException {
    StepClock current = clock;
    if (current != null && ofStep == step) {
      current.answered(number, done, now);
    }
  }

  synchronized void put(byte type, String text) {
    texts.put(type, text);
    notifyAll();
  }

  /** Nothing more will come. */
  synchronized void fail(Exception e) {
    if (failure == null) {
      failure = e;
    }
    notifyAll();
  }

  /**
   * Throws if nothing more will come.
   *
   * @throws IOException what the receiving thread met
   */
  void check() throws IOException {
    Exception e = failure;
    if (e instanceof PeerException peer) {
      throw peer;
    }
    if (e != null) {
      throw new IOException("the connection to the load server broke: " + e.getMessage(), e);
    }
  }

  /** Waits for a text of a type. */
  synchronized String await(byte type, long deadline) throws IOException {
    while (true) {
      String text = texts.get(type);
      if (text != null) {
        return text;
      }
      check();
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new PeerException("the load server does not answer");
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }
}
