package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.store.Chunks;
import org.jspecify.annotations.Nullable;

/**
 * How memory for files is obtained.
 *
 * @param owner the name that errors give to the directory that owns the memory
 * @param chunkBytes a longer file lies in chunks of this length, a power of two up to {@link
 *     Chunks#LARGEST_BYTES}
 * @param maxBytes the limit of the memory that is taken
 * @param preTouch whether memory up to the limit is taken at once
 * @param lockInMemory whether complete files are locked in memory
 * @param shared a budget that the memory counts against too, with that of others
 */
public record MemoryOptions(
    String owner,
    long chunkBytes,
    long maxBytes,
    HugePages hugePages,
    boolean preTouch,
    boolean lockInMemory,
    @Nullable MemoryBudget shared) {

  /** Without a shared budget. */
  public MemoryOptions(
      String owner,
      long chunkBytes,
      long maxBytes,
      HugePages hugePages,
      boolean preTouch,
      boolean lockInMemory) {
    this(owner, chunkBytes, maxBytes, hugePages, preTouch, lockInMemory, null);
  }

  public MemoryOptions {
    checkChunkBytes(chunkBytes);
    checkMaxBytes(maxBytes);
  }

  /** Returns a valid length of chunks; throws for another one. */
  public static long checkChunkBytes(long bytes) {
    if (bytes < 1 || bytes > Chunks.LARGEST_BYTES || Long.bitCount(bytes) != 1) {
      throw new IllegalArgumentException(
          "chunkBytes must be a power of two up to "
              + Chunks.LARGEST_BYTES
              + ": chunkBytes="
              + bytes);
    }
    return bytes;
  }

  /** Returns a valid limit; throws for another one. */
  public static long checkMaxBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("maxBytes must be positive: maxBytes=" + bytes);
    }
    return bytes;
  }
}
