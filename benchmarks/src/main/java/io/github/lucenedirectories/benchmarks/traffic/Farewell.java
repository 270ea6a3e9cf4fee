package io.github.lucenedirectories.benchmarks.traffic;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;

/**
 * The end of a connection whose peer still sends: were it closed at once, the system would take
 * back what was said last.
 */
final class Farewell {
  private static final int TIMEOUT_MILLIS = 1000;
  private static final int MOST_BYTES = 1 << 20;

  private Farewell() {}

  /** Says that nothing more will come, and drops for a while what the peer still sends. */
  static void to(SocketChannel peer) throws IOException {
    peer.shutdownOutput();
    peer.socket().setSoTimeout(TIMEOUT_MILLIS);
    InputStream in = peer.socket().getInputStream();
    byte[] dropped = new byte[1 << 12];
    try {
      for (int bytes = 0; bytes < MOST_BYTES; ) {
        int read = in.read(dropped);
        if (read < 0) {
          return;
        }
        bytes += read;
      }
    } catch (SocketTimeoutException e) {
      // Long enough.
    }
  }
}
