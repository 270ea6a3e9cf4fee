package io.github.lucenedirectories.benchmarks.traffic;

import java.io.Closeable;
import java.io.IOException;

/** What a server does for one client. */
public interface Service extends Closeable {

  /** What it serves, in one line for the client's side. */
  String welcome();

  /** How many queries there are; a client asks for them by number. */
  int queries();

  /** How many threads answer at the same time. */
  int threads();

  /** What one of these threads works with; called on that thread. */
  Worker worker();

  /** A span of time ends and another begins. */
  void mark();

  /** The load is over: what was seen of it. */
  String finish() throws IOException;

  /** Answers queries, for one thread. */
  interface Worker {
    /**
     * Answers one.
     *
     * @throws IOException if it cannot; the client learns that it failed
     */
    void answer(int query) throws IOException;
  }
}
