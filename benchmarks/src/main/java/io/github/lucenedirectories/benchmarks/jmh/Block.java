// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.lucene.store.ByteArrayDataOutput;
import org.apache.lucene.util.GroupVIntUtil;

/**
 * About a mebibyte of encoded values. A file under test repeats one block. That keeps its set-up
 * short, and a block is long enough that no branch predictor learns it.
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

  private Block() {}

  static byte[] randomBytes() {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(SEED).nextBytes(bytes);
    return bytes;
  }

  /** Integers as {@code writeVInt} writes them; one that begins inside another is one too. */
  static byte[] vInts() {
    return encoded(MAX_VINT_BYTES, (out, random) -> out.writeVInt(skewed(random)));
  }

  /** Integers in groups of four, as {@code GroupVIntUtil} reads them, from any byte on. */
  static byte[] groupVInts() {
    int[] values = new int[GROUP_VALUES];
    byte[] scratch = new byte[GroupVIntUtil.MAX_LENGTH_PER_GROUP];
    return encoded(
        MAX_GROUPS_BYTES,
        (out, random) -> {
          Arrays.setAll(values, _ -> skewed(random));
          GroupVIntUtil.writeGroupVInts(out, scratch, values, GROUP_VALUES);
        });
  }

  /** Like gaps between document numbers: six in ten fit one byte, nine in ten fit two. */
  private static int skewed(SplittableRandom random) {
    int tenth = random.nextInt(10);
    int bits = tenth < 6 ? 7 : tenth < 9 ? 14 : 28;
    return random.nextInt(1 << bits);
  }

  private static byte[] encoded(int maxValueBytes, Encoder encoder) {
    byte[] bytes = new byte[BYTES];
    ByteArrayDataOutput out = new ByteArrayDataOutput(bytes);
    SplittableRandom random = new SplittableRandom(SEED);
    try {
      while (out.getPosition() <= BYTES - maxValueBytes) {
        encoder.writeTo(out, random);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to an array", e);
    }
    return Arrays.copyOf(bytes, out.getPosition());
  }

  private interface Encoder {
    void writeTo(ByteArrayDataOutput out, SplittableRandom random) throws IOException;
  }
}
