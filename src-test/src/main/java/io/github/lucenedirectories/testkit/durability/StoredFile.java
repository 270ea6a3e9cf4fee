package io.github.lucenedirectories.testkit.durability;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The bytes of a file as they read now, and those that are sure to be found after a power cut. */
final class StoredFile {

  private static final int PAGE_BYTES = 512;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private byte @Nullable [] synced;
  private boolean lost;

  /** A file that is being written. */
  StoredFile() {}

  /** A file as it was found after a power cut, durable. */
  StoredFile(byte[] found) {
    append(found, 0, found.length);
    synced = found;
  }

  void append(byte[] bytes, int offset, int length) {
    written.write(bytes, offset, length);
  }

  int length() {
    return written.size();
  }

  byte[] bytes() {
    return written.toByteArray();
  }

  /** Makes the bytes durable, unless they were lost. */
  void sync() {
    if (!lost) {
      synced = bytes();
    }
  }

  /** Loses what is not durable yet, and what will be written, although it reads well. */
  void losePages() {
    lost = true;
  }

  /** What may be found after a power cut. */
  byte[] afterPowerCut(Random random) {
    byte[] bytes = bytes();
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
