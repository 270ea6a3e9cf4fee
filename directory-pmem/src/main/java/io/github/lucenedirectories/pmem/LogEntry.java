// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import io.github.lucenedirectories.internal.store.FileNames;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDataOutput;

/** A change of the metadata. A record of the log has several, which take effect together. */
sealed interface LogEntry {

  /** Adds a file whose bytes lie in the extents; without extents it is empty. */
  record Put(String name, List<PoolExtent> extents) implements LogEntry {}

  record Remove(String name) implements LogEntry {}

  record Rename(String from, String to) implements LogEntry {}

  /** The first byte of an entry is its kind; 0 pads a record. */
  byte PUT = 1;

  byte REMOVE = 2;
  byte RENAME = 3;

  /** Length of the longest name; two bytes store the length. */
  int MOST_NAME_BYTES = 0xFFFF;

  /**
   * Encodes entries as the body of a record, padded to {@link Layout#RECORD_ALIGNMENT}. The body is
   * never empty, so that no record header is zero.
   */
  static byte[] encode(List<? extends LogEntry> entries) {
    ByteBuffersDataOutput body = new ByteBuffersDataOutput();
    for (LogEntry entry : entries) {
      switch (entry) {
        case Put put -> {
          body.writeByte(PUT);
          writeName(body, put.name);
          body.writeInt(put.extents.size());
          for (PoolExtent extent : put.extents) {
            body.writeLong(extent.address());
            body.writeLong(extent.length());
          }
        }
        case Remove remove -> {
          body.writeByte(REMOVE);
          writeName(body, remove.name);
        }
        case Rename rename -> {
          body.writeByte(RENAME);
          writeName(body, rename.from);
          writeName(body, rename.to);
        }
      }
    }
    long length = AddressRanges.roundUp(Math.max(1, body.size()), Layout.RECORD_ALIGNMENT);
    return Arrays.copyOf(body.toArrayCopy(), Math.toIntExact(length));
  }

  /**
   * Returns the name if it can be stored.
   *
   * @throws IllegalArgumentException if it is too long, or has half a surrogate pair
   */
  static String checkName(String name) {
    int length = nameBytes(name).length;
    if (length > MOST_NAME_BYTES) {
      throw new IllegalArgumentException(
          "a file name is too long: bytes=" + length + ", most=" + MOST_NAME_BYTES);
    }
    return name;
  }

  private static byte[] nameBytes(String name) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      byte[] all = new byte[bytes.remaining()];
      bytes.get(all);
      return all;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a file name holds half a character: \"" + name + '"', e);
    }
  }

  private static void writeName(ByteBuffersDataOutput body, String name) {
    byte[] bytes = nameBytes(name);
    body.writeShort((short) bytes.length);
    body.writeBytes(bytes, 0, bytes.length);
  }

  /**
   * Decodes the body of a record.
   *
   * @throws IllegalArgumentException if {@link #encode} did not make it
   */
  static List<LogEntry> decode(byte[] bytes) {
    List<LogEntry> entries = new ArrayList<>();
    ByteBuffer body = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      while (body.hasRemaining()) {
        byte kind = body.get();
        switch (kind) {
          case 0 -> {
            return entries;
          }
          case PUT -> {
            String name = name(body);
            List<PoolExtent> extents = new ArrayList<>();
            for (int left = body.getInt(); left > 0; left--) {
              extents.add(new PoolExtent(body.getLong(), body.getLong()));
            }
            entries.add(new Put(name, List.copyOf(extents)));
          }
          case REMOVE -> entries.add(new Remove(name(body)));
          case RENAME -> entries.add(new Rename(name(body), name(body)));
          default -> throw new IllegalArgumentException("kind of entry " + kind);
        }
      }
      return entries;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("an entry that ends too early", e);
    }
  }

  private static String name(ByteBuffer body) {
    byte[] bytes = new byte[Short.toUnsignedInt(body.getShort())];
    body.get(bytes);
    return FileNames.check(new String(bytes, StandardCharsets.UTF_8));
  }
}
