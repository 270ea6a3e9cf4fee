package io.github.lucenedirectories.core;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that random reads of a directory's files took last, for all inputs of the directory.
 *
 * <p>A query reads the same few places again and again (the top of a term index, the entry of a
 * graph), each time through a new clone; found here, they cost no system call. The table is small
 * and of fixed size, on the heap. All methods may be called from any thread and take no lock.
 */
public final class RecentBlocks {

  /*
   * A block's bytes are never written again once it is in the table and belong to the garbage
   * collector, so nobody needs to say when he is done with one. A file gets a new number each time
   * it is opened: a name that comes back never meets the blocks of its predecessor.
   *
   * A block may be in either of two neighbouring slots. A new one takes the first and moves what was
   * there to the second, which keeps two hot blocks of one pair without a count of uses.
   */

  /** Bytes of file that the table of one directory holds. */
  private static final int TABLE_BYTES = 1 << 22;

  private static final AtomicLong NEXT_FILE = new AtomicLong();

  /**
   * A block of a file.
   *
   * @param file the file's number in this process
   * @param number where the block begins, in blocks
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(long file, long number, byte[] bytes) {}

  private final int blockShift;
  private final AtomicReferenceArray<@Nullable Block> slots;

  /** An empty table for blocks of the given length, a power of two. */
  public RecentBlocks(int blockBytes) {
    blockShift = Integer.numberOfTrailingZeros(blockBytes);
    slots = new AtomicReferenceArray<>(Math.max(2, TABLE_BYTES >> blockShift));
  }

  /** A number for a file that is opened now. */
  static long newFile() {
    return NEXT_FILE.getAndIncrement();
  }

  /** Binary logarithm of the length of a block. */
  int blockShift() {
    return blockShift;
  }

  /** The bytes of a block, not to be written to, or null if it is not in the table. */
  byte @Nullable [] find(long file, long number) {
    int slot = slotOf(file, number);
    Block block = slots.getAcquire(slot);
    if (block != null && block.number == number && block.file == file) {
      return block.bytes;
    }
    block = slots.getAcquire(slot ^ 1);
    return block != null && block.number == number && block.file == file ? block.bytes : null;
  }

  /** Adds a block, whose bytes must not be written to from now on. */
  void add(long file, long number, byte[] bytes) {
    int slot = slotOf(file, number);
    slots.setRelease(slot ^ 1, slots.getAcquire(slot));
    slots.setRelease(slot, new Block(file, number, bytes));
  }

  private int slotOf(long file, long number) {
    // Fibonacci hashing: the upper bits of a product with 2^64 divided by the golden ratio.
    long hash = (number * 31 + file) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (hash >>> 32) & (slots.length() - 1);
  }
}
