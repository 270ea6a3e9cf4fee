package io.github.lucenedirectories.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The blocks that random reads took last, for all files that the process reads in blocks of one
 * length.
 *
 * <p>A query reads the same few places again and again (the top of a term index, the entry of a
 * graph), each time through a new clone; found here, they cost no system call. The table is of a
 * fixed size, up to 16 MiB outside the Java heap, taken as blocks come. All methods may be called
 * from any thread; they take no lock and allocate nothing.
 */
public final class RecentBlocks {

  /*
   * Each slot has a version, which is odd while a thread writes to the slot. Who reads looks at it
   * before and after copying, and takes the copy only if it is even and the same. Who would write
   * and finds it odd leaves it. A file gets a new number each time it is opened: a name that comes
   * back never meets the blocks of its predecessor.
   *
   * A block may be in either slot of a pair. A new one takes the slot that was not used last, which
   * keeps two hot blocks of one pair without a count of uses.
   */

  /** Bytes of file that a table holds. */
  private static final int TABLE_BYTES = 1 << 24;

  private static final long NO_FILE = -1;

  private static final AtomicLong NEXT_FILE = new AtomicLong();

  private static final Map<Integer, RecentBlocks> TABLES = new ConcurrentHashMap<>();

  private final int blockShift;

  private final MemorySegment bytes;

  private final AtomicIntegerArray versions;

  /** For each slot the number of the file, and where the block begins in it, in blocks. */
  private final AtomicLongArray keys;

  /** For each pair the slot, 0 or 1, in which a block was found or put last. */
  private final AtomicIntegerArray newest;

  private RecentBlocks(int blockBytes) {
    blockShift = Integer.numberOfTrailingZeros(blockBytes);
    int slots = Math.max(2, TABLE_BYTES >> blockShift);
    bytes = allocate((long) slots << blockShift);
    versions = new AtomicIntegerArray(slots);
    newest = new AtomicIntegerArray(slots / 2);
    keys = new AtomicLongArray(2 * slots);
    for (int slot = 0; slot < slots; slot++) {
      keys.setPlain(2 * slot, NO_FILE);
    }
  }

  /** The table of this process for blocks of the given length, a power of two. */
  public static RecentBlocks ofBytes(int blockBytes) {
    return TABLES.computeIfAbsent(blockBytes, RecentBlocks::new);
  }

  /**
   * Memory for a table, which takes physical memory as blocks are put into it where the system has
   * native calls: Java clears what it allocates, which would take all of it at once.
   */
  @SuppressWarnings("restricted") // makes a segment of an address that the system gave
  static MemorySegment allocate(long length) {
    return NativeCalls.get()
        .flatMap(calls -> calls.tryReserve(length))
        .map(address -> MemorySegment.ofAddress(address).reinterpret(length))
        .orElseGet(() -> Arena.global().allocate(length, Long.BYTES));
  }

  /** A number for a file that is opened now. */
  static long newFile() {
    return NEXT_FILE.getAndIncrement();
  }

  /** Binary logarithm of the length of a block. */
  int blockShift() {
    return blockShift;
  }

  /**
   * Copies the first {@code length} bytes of a block.
   *
   * @return false if it is not in the table; the target may then hold anything
   */
  boolean find(long file, long number, byte[] target, int length) {
    int slot = firstSlotOf(file, number);
    for (int i = 0; i < 2; i++) {
      if (copyFrom(slot + i, file, number, target, length)) {
        if (newest.getPlain(slot >> 1) != i) {
          newest.setOpaque(slot >> 1, i);
        }
        return true;
      }
    }
    return false;
  }

  private boolean copyFrom(int slot, long file, long number, byte[] target, int length) {
    int version = versions.getAcquire(slot);
    if (keys.getOpaque(2 * slot) != file
        || keys.getOpaque(2 * slot + 1) != number
        || (version & 1) != 0) {
      return false;
    }
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, startOf(slot), target, 0, length);
    VarHandle.acquireFence();
    return versions.getOpaque(slot) == version;
  }

  /** Adds a block. */
  void add(long file, long number, byte[] source, int length) {
    int first = firstSlotOf(file, number);
    int older = 1 - newest.getOpaque(first >> 1);
    int slot = first + older;
    int version = versions.getOpaque(slot);
    if ((version & 1) != 0 || !versions.compareAndSet(slot, version, version + 1)) {
      return;
    }
    // Who sees what is written from here on also sees that the version is odd.
    VarHandle.storeStoreFence();
    keys.setOpaque(2 * slot, file);
    keys.setOpaque(2 * slot + 1, number);
    MemorySegment.copy(source, 0, bytes, ValueLayout.JAVA_BYTE, startOf(slot), length);
    versions.setRelease(slot, version + 2);
    newest.setOpaque(first >> 1, older);
  }

  private long startOf(int slot) {
    return (long) slot << blockShift;
  }

  private int firstSlotOf(long file, long number) {
    // Fibonacci hashing: the upper bits of a product with 2^64 divided by the golden ratio.
    long hash = (number * 31 + file) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (hash >>> 32) & (versions.length() - 2);
  }
}
