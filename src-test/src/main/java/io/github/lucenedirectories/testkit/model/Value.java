package io.github.lucenedirectories.testkit.model;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.GroupVIntUtil;

/** Something that is written by one call and can be read back by one call. */
interface Value {

  /** Writes it. */
  void write(DataOutput out) throws IOException;

  /** Reads what should be it. */
  Object read(DataInput in) throws IOException;

  /** What {@link #read} must return, compared deeply. */
  Object expected();

  /** Fails unless the next bytes of the input read as this value. */
  default void check(DataInput in) throws IOException {
    Object actual = read(in);
    if (!Objects.deepEquals(expected(), actual)) {
      throw new AssertionError("wrote " + this + ", read " + actual);
    }
  }

  /** A value of any kind. */
  static Value random(Random random) {
    return switch (random.nextInt(11)) {
      case 0 -> of("short", (short) random.nextInt(), DataOutput::writeShort, DataInput::readShort);
      case 1 -> of("int", random.nextInt(), DataOutput::writeInt, DataInput::readInt);
      case 2 -> of("long", random.nextLong(), DataOutput::writeLong, DataInput::readLong);
      case 3 -> of("vint", anyInt(random), DataOutput::writeVInt, DataInput::readVInt);
      case 4 -> of("vlong", anyLong(random) >>> 1, DataOutput::writeVLong, DataInput::readVLong);
      case 5 -> of("zint", anyInt(random), DataOutput::writeZInt, DataInput::readZInt);
      case 6 -> of("zlong", anyLong(random), DataOutput::writeZLong, DataInput::readZLong);
      case 7 -> of("string", text(random), DataOutput::writeString, DataInput::readString);
      case 8 -> of("map", map(random), DataOutput::writeMapOfStrings, DataInput::readMapOfStrings);
      case 9 -> of("set", set(random), DataOutput::writeSetOfStrings, DataInput::readSetOfStrings);
      default -> groupVarint(random);
    };
  }

  /** One way to write a value. */
  @FunctionalInterface
  interface Writer<T> {
    void write(DataOutput out, T value) throws IOException;
  }

  /** One way to read a value. */
  @FunctionalInterface
  interface Reader<T> {
    T read(DataInput in) throws IOException;
  }

  private static <T> Value of(String kind, T value, Writer<T> writer, Reader<?> reader) {
    return new Value() {
      @Override
      public void write(DataOutput out) throws IOException {
        writer.write(out, value);
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return reader.read(in);
      }

      @Override
      public Object expected() {
        return value;
      }

      @Override
      public String toString() {
        return kind + "(" + (value instanceof int[] ints ? Arrays.toString(ints) : value) + ")";
      }
    };
  }

  private static Value groupVarint(Random random) {
    int[] values = new int[random.nextInt(1, 70)];
    for (int i = 0; i < values.length; i++) {
      values[i] = anyInt(random) >>> 1;
    }
    return of(
        "group-varint",
        values,
        (out, ints) -> out.writeGroupVInts(ints, ints.length),
        in -> {
          // Room for a last group that is not full.
          int[] read = new int[values.length + 4];
          GroupVIntUtil.readGroupVInts(in, read, values.length);
          return Arrays.copyOf(read, values.length);
        });
  }

  /** Small numbers are as likely as large ones. */
  private static int anyInt(Random random) {
    return random.nextInt() >>> random.nextInt(32);
  }

  private static long anyLong(Random random) {
    return random.nextLong() >>> random.nextInt(64);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      text.appendCodePoint(random.nextInt(5) == 0 ? 0x1D11E : 'a' + random.nextInt(26));
    }
    return text.toString();
  }

  private static Map<String, String> map(Random random) {
    Map<String, String> map = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(text(random), text(random));
    }
    return map;
  }

  private static Set<String> set(Random random) {
    Set<String> set = new HashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      set.add(text(random));
    }
    return set;
  }
}
