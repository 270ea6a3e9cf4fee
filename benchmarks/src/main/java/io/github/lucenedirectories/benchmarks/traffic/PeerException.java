package io.github.lucenedirectories.benchmarks.traffic;

import java.io.IOException;

/** The other side does not speak this protocol, or refuses this one. Its message is one line. */
public final class PeerException extends IOException {
  private static final long serialVersionUID = 1L;

  PeerException(String message) {
    super(message);
  }
}
