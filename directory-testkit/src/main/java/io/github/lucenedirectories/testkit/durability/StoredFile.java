// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The bytes of a file as they read now, and those that are sure to be found after a power cut. */
final class StoredFile {

  private static final int PAGE_BYTES = 512;

  final ByteArrayOutputStream written = new ByteArrayOutputStream();
  byte @Nullable [] synced;

  /** Whether what is not durable is lost, with what will be written, although it reads well. */
  boolean lost;

  /** Makes the bytes durable, unless they were lost. */
  void sync() {
    if (!lost) {
      synced = written.toByteArray();
    }
  }

  /** What may be found after a power cut. */
  byte[] afterPowerCut(Random random) {
    byte[] bytes = written.toByteArray();
    int sure = synced == null ? 0 : synced.length;
    if (sure == bytes.length) {
      return bytes;
    }
    return switch (random.nextInt(5)) {
      case 0 -> Arrays.copyOf(bytes, sure);
      case 1 -> bytes.clone();
      case 2 -> Arrays.copyOf(bytes, sure + random.nextInt(bytes.length - sure));
      default -> damaged(bytes, sure, random);
    };
  }

  /** Some pages were written, some never, and some hold what other files left there. */
  private static byte[] damaged(byte[] bytes, int sure, Random random) {
    byte[] found = bytes.clone();
    for (int from = sure; from < found.length; from += PAGE_BYTES) {
      int to = Math.min(found.length, from + PAGE_BYTES);
      switch (random.nextInt(3)) {
        case 0 -> Arrays.fill(found, from, to, (byte) 0);
        case 1 -> {
          byte[] garbage = new byte[to - from];
          random.nextBytes(garbage);
          System.arraycopy(garbage, 0, found, from, garbage.length);
        }
        default -> {}
      }
    }
    return found;
  }
}
