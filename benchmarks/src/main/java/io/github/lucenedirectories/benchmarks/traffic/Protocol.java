package io.github.lucenedirectories.benchmarks.traffic;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The numbers of the protocol, and its frames as bytes. See the package for their meaning. */
final class Protocol {
  /** The version that this build speaks: {@value}. */
  static final int VERSION = 1;

  /** {@code LDLT}. */
  static final int MAGIC = 0x4C44_4C54;

  static final int GREETING_BYTES = 2 * Integer.BYTES;

  static final byte WELCOME = 1;
  static final byte REQUEST = 2;
  static final byte ANSWER = 3;
  static final byte MARK = 4;
  static final byte DROP = 5;
  static final byte FINISH = 6;
  static final byte SUMMARY = 7;
  static final byte REFUSAL = 8;

  static final byte DONE = 0;
  static final byte FAILED = 1;

  /** The greatest length of a frame. */
  static final int MOST_BYTES = 1 << 20;

  static final int REQUEST_BYTES = Long.BYTES + Integer.BYTES;
  static final int ANSWER_BYTES = Long.BYTES + 1;

  /** What comes before the payload: length and type. */
  static final int HEAD_BYTES = Integer.BYTES + 1;

  private Protocol() {}

  static ByteBuffer greeting(int version) {
    return ByteBuffer.allocate(GREETING_BYTES).putInt(MAGIC).putInt(version).flip();
  }

  /**
   * A frame with a text.
   *
   * @throws IllegalArgumentException if it is too long
   */
  static ByteBuffer text(byte type, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= MOST_BYTES) {
      throw new IllegalArgumentException("text too long: bytes=" + bytes.length);
    }
    return ByteBuffer.allocate(HEAD_BYTES + bytes.length)
        .putInt(1 + bytes.length)
        .put(type)
        .put(bytes)
        .flip();
  }

  static String text(ByteBuffer payload) {
    return StandardCharsets.UTF_8.decode(payload).toString();
  }

  /** Appends a frame without payload. */
  static void putEmpty(ByteBuffer target, byte type) {
    target.putInt(1).put(type);
  }

  static void putRequest(ByteBuffer target, long id, int query) {
    target.putInt(1 + REQUEST_BYTES).put(REQUEST).putLong(id).putInt(query);
  }

  static void putAnswer(ByteBuffer target, long id, byte outcome) {
    target.putInt(1 + ANSWER_BYTES).put(ANSWER).putLong(id).put(outcome);
  }

  /** Refuses a payload of a wrong length. */
  static void checkLength(byte type, ByteBuffer payload, int bytes) throws PeerException {
    if (payload.remaining() != bytes) {
      throw new PeerException(
          "damaged frame: type=" + type + ", bytes=" + payload.remaining() + ", expected=" + bytes);
    }
  }

  /** The end of a connection in the middle of something. */
  static EOFException ended(String where) {
    return new EOFException("the connection ended " + where);
  }
}
