package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.lucene.store.ByteArrayDataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.GroupVIntUtil;

/**
 * About a mebibyte of encoded values, and where in it each of them starts.
 *
 * <p>A file under test repeats one block. That keeps its set-up short, and a block is long enough
 * that no branch predictor learns it.
 */
final class Block {
  /** The seed of all contents and positions. */
  static final long SEED = 0x5EED_0002L;

  /** Values in one call of {@code readGroupVInts}, as many as in a block of Lucene's postings. */
  static final int GROUP_VALUES = 128;

  /** Bytes of one integer in variable length, at most. */
  static final int MAX_VINT_BYTES = 5;

  /** Bytes of {@value #GROUP_VALUES} values in groups, at most. */
  static final int MAX_GROUPS_BYTES = GROUP_VALUES / 4 * GroupVIntUtil.MAX_LENGTH_PER_GROUP;

  private static final int BYTES = 1 << 20;

  private final byte[] bytes;
  private final int[] starts;

  private Block(byte[] bytes, int[] starts) {
    this.bytes = bytes;
    this.starts = starts;
  }

  /** Random bytes; a value starts at each of them. */
  static Block randomBytes() {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(SEED).nextBytes(bytes);
    int[] starts = new int[BYTES];
    Arrays.setAll(starts, i -> i);
    return new Block(bytes, starts);
  }

  /** Integers as {@code writeVInt} writes them. */
  static Block vInts() {
    return encoded(MAX_VINT_BYTES, (out, random) -> out.writeVInt(skewed(random)));
  }

  /** Runs of {@value #GROUP_VALUES} integers in groups of four, as {@code GroupVIntUtil} reads. */
  static Block groupVInts() {
    int[] values = new int[GROUP_VALUES];
    byte[] scratch = new byte[GroupVIntUtil.MAX_LENGTH_PER_GROUP];
    return encoded(
        MAX_GROUPS_BYTES,
        (out, random) -> {
          Arrays.setAll(values, _ -> skewed(random));
          GroupVIntUtil.writeGroupVInts(out, scratch, values, GROUP_VALUES);
        });
  }

  /** The contents; not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  int count() {
    return starts.length;
  }

  /** Writes the block so many times. */
  void writeTo(IndexOutput out, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  /** The offset of value number {@code index}. */
  int start(int index) {
    return starts[index];
  }

  /** Like gaps between document numbers: six in ten fit one byte, nine in ten fit two. */
  private static int skewed(SplittableRandom random) {
    int tenth = random.nextInt(10);
    int bits = tenth < 6 ? 7 : tenth < 9 ? 14 : 28;
    return random.nextInt(1 << bits);
  }

  private static Block encoded(int maxValueBytes, Encoder encoder) {
    byte[] bytes = new byte[BYTES];
    int[] starts = new int[BYTES];
    int count = 0;
    ByteArrayDataOutput out = new ByteArrayDataOutput(bytes);
    SplittableRandom random = new SplittableRandom(SEED);
    try {
      while (out.getPosition() <= BYTES - maxValueBytes) {
        starts[count++] = out.getPosition();
        encoder.writeTo(out, random);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to an array", e);
    }
    return new Block(Arrays.copyOf(bytes, out.getPosition()), Arrays.copyOf(starts, count));
  }

  private interface Encoder {
    void writeTo(ByteArrayDataOutput out, SplittableRandom random) throws IOException;
  }
}
