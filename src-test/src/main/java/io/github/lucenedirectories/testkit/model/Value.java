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
import org.apache.lucene.util.IOFunction;

/**
 * Something that is written by one call and can be read back by one call.
 *
 * @param reader returns what must be equal to the value, deeply
 */
record Value<T>(String kind, T value, Writer<T> writer, IOFunction<DataInput, Object> reader) {

  /** One way to write a value. */
  @FunctionalInterface
  interface Writer<T> {
    void write(DataOutput out, T value) throws IOException;
  }

  /** Writes it. */
  void write(DataOutput out) throws IOException {
    writer.write(out, value);
  }

  /** Fails unless the next bytes of the input read as this value. */
  void check(DataInput in) throws IOException {
    Object actual = reader.apply(in);
    if (!Objects.deepEquals(value, actual)) {
      throw new AssertionError("wrote " + this + ", read " + actual);
    }
  }

  @Override
  public String toString() {
    return kind + "(" + (value instanceof int[] ints ? Arrays.toString(ints) : value) + ")";
  }

  /** A value of any kind. */
  static Value<?> random(Random random) {
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

  private static <T> Value<T> of(
      String kind, T value, Writer<T> writer, IOFunction<DataInput, Object> reader) {
    return new Value<>(kind, value, writer, reader);
  }

  private static Value<?> groupVarint(Random random) {
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
