// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.model;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.GroupVIntUtil;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOFunction;

/** What a file must hold: bytes, and where in them a value begins that one call can read. */
final class WrittenFile {

  final byte[] bytes;
  final List<Mark> marks = new ArrayList<>();

  /** Writes random values and bytes by random calls, about {@code length} bytes in all. */
  WrittenFile(Random random, IndexOutput out, int length) throws IOException {
    ByteBuffersDataOutput model = new ByteBuffersDataOutput();
    int longest = Math.max(20_000, length / 2);
    while (model.size() < length) {
      int start = Math.toIntExact(model.size());
      int kind = random.nextInt(4);
      if (kind == 0) {
        byte value = (byte) random.nextInt();
        out.writeByte(value);
        model.writeByte(value);
      } else if (kind == 1) {
        byte[] some = new byte[random.nextInt(random.nextInt(10) == 0 ? longest : 200)];
        random.nextBytes(some);
        int offset = random.nextInt(some.length + 1);
        int count = Math.min(some.length - offset, length - start);
        out.writeBytes(some, offset, count);
        model.writeBytes(some, offset, count);
      } else {
        Value value = Value.any(random);
        value.writer.accept(out);
        value.writer.accept(model);
        marks.add(new Mark(value, start, Math.toIntExact(model.size())));
      }
      assertEquals(model.size(), out.getFilePointer());
    }
    bytes = model.toArrayCopy();
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    // Asking changes nothing.
    assertEquals(checksum.getValue(), out.getChecksum());
    assertEquals(checksum.getValue(), out.getChecksum());
  }

  /** A value and the position of its first and behind its last byte. */
  record Mark(Value value, int start, int end) {

    /** Fails unless the next bytes of the input read as the value. */
    void check(DataInput in) throws IOException {
      Object actual = value.reader.apply(in);
      assertTrue("wrote " + this + ", read " + actual, Objects.deepEquals(value.value, actual));
    }
  }

  /** Something that one call writes and one call reads. */
  record Value(Object value, IOConsumer<DataOutput> writer, IOFunction<DataInput, Object> reader) {

    private interface Writer<T> {
      void write(DataOutput out, T value) throws IOException;
    }

    private static <T> Value of(T value, Writer<T> writer, IOFunction<DataInput, Object> reader) {
      return new Value(value, out -> writer.write(out, value), reader);
    }

    static Value any(Random random) {
      // Small numbers are as likely as large ones.
      int number = random.nextInt() >>> random.nextInt(32);
      long longer = random.nextLong() >>> random.nextInt(64);
      String text = TestUtil.randomUnicodeString(random, 40);
      return switch (random.nextInt(9)) {
        case 0 -> of((short) random.nextInt(), DataOutput::writeShort, DataInput::readShort);
        case 1 -> of(random.nextInt(), DataOutput::writeInt, DataInput::readInt);
        case 2 -> of(random.nextLong(), DataOutput::writeLong, DataInput::readLong);
        case 3 -> of(number, DataOutput::writeVInt, DataInput::readVInt);
        case 4 -> of(longer >>> 1, DataOutput::writeVLong, DataInput::readVLong);
        case 5 -> of(longer, DataOutput::writeZLong, DataInput::readZLong);
        case 6 -> of(text, DataOutput::writeString, DataInput::readString);
        case 7 ->
            of(Map.of("key", text), DataOutput::writeMapOfStrings, DataInput::readMapOfStrings);
        default -> groupVarint(random);
      };
    }

    private static Value groupVarint(Random random) {
      int[] values =
          random.ints(random.nextInt(1, 70)).map(i -> i >>> random.nextInt(1, 32)).toArray();
      return of(
          values,
          (out, ints) -> out.writeGroupVInts(ints, ints.length),
          in -> {
            // Room for a last group that is not full.
            int[] read = new int[values.length + 4];
            GroupVIntUtil.readGroupVInts(in, read, values.length);
            return Arrays.copyOf(read, values.length);
          });
    }
  }
}
