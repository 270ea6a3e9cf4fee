package io.github.lucenedirectories.benchmarks.traffic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * What goes to a peer without ever waiting for it: a buffer that grows while the peer takes
 * nothing. For one thread, on a channel that does not block.
 */
final class Outbox {
  private static final int FIRST_BYTES = 1 << 16;
  private static final int REQUEST_FRAME_BYTES = Protocol.HEAD_BYTES + Protocol.REQUEST_BYTES;

  private final SocketChannel channel;

  /** From 0 to the position: not yet taken. */
  private ByteBuffer waiting = ByteBuffer.allocateDirect(FIRST_BYTES);

  private int mostWaitingBytes;

  Outbox(SocketChannel channel) {
    this.channel = channel;
  }

  void request(long id, int query) {
    makeRoom(REQUEST_FRAME_BYTES);
    Protocol.putRequest(waiting, id, query);
  }

  void empty(byte type) {
    makeRoom(Protocol.HEAD_BYTES);
    Protocol.putEmpty(waiting, type);
  }

  private void makeRoom(int bytes) {
    if (waiting.remaining() < bytes) {
      ByteBuffer larger = ByteBuffer.allocateDirect(waiting.capacity() * 2);
      waiting = larger.put(waiting.flip());
    }
  }

  /** Hands over what the peer takes at once. */
  void flush() throws IOException {
    if (waiting.position() > 0) {
      waiting.flip();
      try {
        channel.write(waiting);
      } finally {
        waiting.compact();
      }
      mostWaitingBytes = Math.max(mostWaitingBytes, waiting.position());
    }
  }

  boolean isEmpty() {
    return waiting.position() == 0;
  }

  /** How many requests the peer has not taken yet. */
  int waitingRequests() {
    return Math.ceilDiv(waiting.position(), REQUEST_FRAME_BYTES);
  }

  /** The most requests that were left after a flush since the last call. */
  int takeMostWaiting() {
    int requests = mostWaitingBytes / REQUEST_FRAME_BYTES;
    mostWaitingBytes = 0;
    return requests;
  }
}
