package io.github.lucenedirectories.testkit.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.IndexOutput;

/** What a file must hold: bytes, and where in them a value begins that one call can read. */
final class WrittenFile {

  private final byte[] bytes;
  private final List<Mark> marks;

  private WrittenFile(byte[] bytes, List<Mark> marks) {
    this.bytes = bytes;
    this.marks = List.copyOf(marks);
  }

  /** A value and the position of its first and behind its last byte. */
  record Mark(Value<?> value, int start, int end) {}

  /** Writes random values and bytes by random calls, about {@code length} bytes in all. */
  static WrittenFile write(Random random, IndexOutput out, int length) throws IOException {
    ByteBuffersDataOutput model = new ByteBuffersDataOutput();
    List<Mark> marks = new ArrayList<>();
    int longest = Math.max(20_000, length / 2);
    while (model.size() < length) {
      int start = Math.toIntExact(model.size());
      if (start != out.getFilePointer()) {
        throw new AssertionError("written " + start + ", file pointer " + out.getFilePointer());
      }
      switch (random.nextInt(4)) {
        case 0 -> {
          byte value = (byte) random.nextInt();
          out.writeByte(value);
          model.writeByte(value);
        }
        case 1 -> {
          byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? longest : 200)];
          random.nextBytes(bytes);
          int offset = random.nextInt(bytes.length + 1);
          int count = Math.min(bytes.length - offset, length - start);
          out.writeBytes(bytes, offset, count);
          model.writeBytes(bytes, offset, count);
        }
        default -> {
          Value<?> value = Value.random(random);
          value.write(out);
          value.write(model);
          marks.add(new Mark(value, start, Math.toIntExact(model.size())));
        }
      }
    }
    byte[] bytes = model.toArrayCopy();
    if (bytes.length != out.getFilePointer()) {
      throw new AssertionError(
          "written " + bytes.length + ", file pointer " + out.getFilePointer());
    }
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    for (int i = 0; i < 2; i++) {
      if (checksum.getValue() != out.getChecksum()) {
        throw new AssertionError("wrong checksum after " + bytes.length + " bytes");
      }
    }
    return new WrittenFile(bytes, marks);
  }

  byte[] bytes() {
    return bytes;
  }

  List<Mark> marks() {
    return marks;
  }

  int length() {
    return bytes.length;
  }
}
