package io.github.lucenedirectories.benchmarks.traffic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Cuts what comes from a peer into frames. For one thread.
 *
 * <p>{@link #fill} reads what there is, {@link #next} moves to the next whole frame; a frame is
 * valid until the next call of either.
 */
final class FrameReader {
  private static final int BUFFER_BYTES = 1 << 16;

  private final ReadableByteChannel channel;

  /** From 0 to the position: read and not yet cut, but for the first {@code cut} bytes. */
  private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  private int cut;
  private byte type;
  private ByteBuffer payload = ByteBuffer.allocate(0);

  FrameReader(ReadableByteChannel channel) {
    this.channel = channel;
  }

  /**
   * Reads once.
   *
   * @return false if the peer has ended the connection between two frames
   * @throws java.io.EOFException if it has ended within one
   */
  boolean fill() throws IOException {
    buffer.flip().position(cut);
    int needed = buffer.remaining() >= Integer.BYTES ? Integer.BYTES + buffer.getInt(cut) : 0;
    if (needed > buffer.capacity()) {
      ByteBuffer larger = ByteBuffer.allocate(needed).put(buffer);
      buffer = larger;
    } else {
      buffer.compact();
    }
    cut = 0;
    if (channel.read(buffer) >= 0) {
      return true;
    }
    if (buffer.position() > 0) {
      throw Protocol.ended("within a frame");
    }
    return false;
  }

  /**
   * Moves to the next frame.
   *
   * @return false if it is not whole yet
   * @throws PeerException if its length makes no sense
   */
  boolean next() throws PeerException {
    int there = buffer.position() - cut;
    if (there < Integer.BYTES) {
      return false;
    }
    int length = buffer.getInt(cut);
    if (length < 1 || length > Protocol.MOST_BYTES) {
      throw new PeerException("damaged frame: length=" + length + ", most=" + Protocol.MOST_BYTES);
    }
    if (there < Integer.BYTES + length) {
      return false;
    }
    type = buffer.get(cut + Integer.BYTES);
    payload = buffer.slice(cut + Protocol.HEAD_BYTES, length - 1);
    cut += Integer.BYTES + length;
    return true;
  }

  byte type() {
    return type;
  }

  ByteBuffer payload() {
    return payload;
  }
}
