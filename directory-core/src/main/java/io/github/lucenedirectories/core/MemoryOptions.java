package io.github.lucenedirectories.core;

/**
 * How memory for files is obtained.
 *
 * @param owner what an error calls the directory that the memory belongs to
 * @param chunkBytes a longer file lies in chunks of this length, a power of two up to {@link
 *     OffHeapMemory#LARGEST_CHUNK_BYTES}
 * @param limitBytes the most memory that is taken
 * @param preTouch whether the memory of the whole limit is taken at once
 * @param lockInMemory whether complete files are kept from being swapped out
 */
public record MemoryOptions(
    String owner,
    long chunkBytes,
    long limitBytes,
    HugePageMode hugePages,
    boolean preTouch,
    boolean lockInMemory) {

  public MemoryOptions {
    if (chunkBytes < 1
        || chunkBytes > OffHeapMemory.LARGEST_CHUNK_BYTES
        || Long.bitCount(chunkBytes) != 1) {
      throw new IllegalArgumentException(
          "chunkBytes must be a power of two up to "
              + OffHeapMemory.LARGEST_CHUNK_BYTES
              + ": chunkBytes="
              + chunkBytes);
    }
    if (limitBytes < 1) {
      throw new IllegalArgumentException("limitBytes must be positive: limitBytes=" + limitBytes);
    }
  }
}
