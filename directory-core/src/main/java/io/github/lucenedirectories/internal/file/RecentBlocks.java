// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.Dropped;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of the latest random reads, for all files that the process reads in blocks of one
 * length.
 *
 * <p>A query reads the same few places again and again (the top of a term index, the entry of a
 * graph), each time through a new clone; blocks found here cost no system call. The table has a
 * fixed size of up to 16 MiB outside the Java heap, allocated as blocks are added; where the system
 * refuses memory, the table stays as large as it is. All methods may be called from any thread;
 * they take no lock except to allocate.
 */
public final class RecentBlocks {

  /*
   * Each slot has a version, which is odd while a thread writes to the slot. A reader checks it
   * before and after copying, and uses the copy only if both are even and equal. A writer that
   * finds it odd skips the slot. A file gets a new number each time it is opened, so a reused name
   * never finds the blocks of an earlier file.
   *
   * A block may be in either slot of a pair. A new one takes the slot that was not used last, which
   * keeps two hot blocks of one pair without counting uses.
   */

  /** The default length of a block. */
  public static final int DEFAULT_BLOCK_BYTES = 1 << 10;

  /** File bytes that a table holds. */
  private static final int TABLE_BYTES = 1 << 24;

  private static final int SLAB_BYTES = 1 << 16;

  private static final long NO_FILE = -1;

  private static final AtomicLong NEXT_FILE = new AtomicLong();

  /** By the length of a block. A table lives as long as its directories and inputs. */
  private static final Map<Integer, WeakReference<RecentBlocks>> TABLES = new HashMap<>();

  private final int blockShift;

  private final Arena arena = Dropped.arenaOf(this);

  /** Whether the system has no more memory for slabs. */
  private volatile boolean refused;

  /** The blocks, in slabs that are allocated when a block is first put into them. */
  private final AtomicReferenceArray<@Nullable MemorySegment> slabs;

  private final AtomicIntegerArray versions;

  /** For each slot the number of the file and the number of the block in it. */
  private final AtomicLongArray keys;

  /** For each pair the slot, 0 or 1, in which a block was found or put last. */
  private final AtomicIntegerArray newest;

  private RecentBlocks(int blockBytes) {
    blockShift = Integer.numberOfTrailingZeros(blockBytes);
    int slots = Math.max(2, TABLE_BYTES >> blockShift);
    slabs = new AtomicReferenceArray<>(TABLE_BYTES / SLAB_BYTES);
    versions = new AtomicIntegerArray(slots);
    newest = new AtomicIntegerArray(slots / 2);
    keys = new AtomicLongArray(2 * slots);
    for (int slot = 0; slot < slots; slot++) {
      keys.setPlain(2 * slot, NO_FILE);
    }
  }

  /**
   * Checks the length of a block.
   *
   * @throws IllegalArgumentException if it is not a power of two from 8, the longest single value,
   *     to 64 KiB
   */
  public static int checkBlockBytes(int bytes) {
    if (bytes < Long.BYTES || bytes > SLAB_BYTES || Integer.bitCount(bytes) != 1) {
      throw new IllegalArgumentException(
          "blockBytes must be a power of two from "
              + Long.BYTES
              + " to "
              + SLAB_BYTES
              + ": blockBytes="
              + bytes);
    }
    return bytes;
  }

  /** The table of this process for blocks of the given length, which was checked. */
  public static synchronized RecentBlocks ofBytes(int blockBytes) {
    WeakReference<RecentBlocks> known = TABLES.get(blockBytes);
    RecentBlocks table = known == null ? null : known.get();
    if (table == null) {
      table = new RecentBlocks(blockBytes);
      TABLES.put(blockBytes, new WeakReference<>(table));
    }
    return table;
  }

  /** A number for a file that is opened now. */
  static long newFile() {
    return NEXT_FILE.getAndIncrement();
  }

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
    MemorySegment slab = Objects.requireNonNull(slabs.getAcquire(slabOf(slot)));
    MemorySegment.copy(slab, ValueLayout.JAVA_BYTE, startInSlab(slot), target, 0, length);
    VarHandle.acquireFence();
    return versions.getOpaque(slot) == version;
  }

  void add(long file, long number, byte[] source, int length) {
    int first = firstSlotOf(file, number);
    int older = 1 - newest.getOpaque(first >> 1);
    int slot = first + older;
    MemorySegment slab = slabs.getAcquire(slabOf(slot));
    if (slab == null && (refused || (slab = allocate(slabOf(slot))) == null)) {
      return;
    }
    int version = versions.getOpaque(slot);
    if ((version & 1) != 0 || !versions.compareAndSet(slot, version, version + 1)) {
      return;
    }
    // A thread that sees any write after this fence also sees the odd version.
    VarHandle.storeStoreFence();
    keys.setOpaque(2 * slot, file);
    keys.setOpaque(2 * slot + 1, number);
    MemorySegment.copy(source, 0, slab, ValueLayout.JAVA_BYTE, startInSlab(slot), length);
    versions.setRelease(slot, version + 2);
    newest.setOpaque(first >> 1, older);
  }

  private synchronized @Nullable MemorySegment allocate(int index) {
    MemorySegment slab = slabs.get(index);
    try {
      if (slab == null && !refused) {
        slab = arena.allocate(SLAB_BYTES, Long.BYTES);
        slabs.set(index, slab);
      }
    } catch (OutOfMemoryError _) {
      refused = true;
    }
    return slab;
  }

  private int slabOf(int slot) {
    return (int) (((long) slot << blockShift) / SLAB_BYTES);
  }

  private long startInSlab(int slot) {
    return ((long) slot << blockShift) & (SLAB_BYTES - 1);
  }

  private int firstSlotOf(long file, long number) {
    return firstSlot(file, number, versions.length());
  }

  /** The first slot of the pair for a block, out of {@code slots}, a power of two. */
  static int firstSlot(long file, long number, int slots) {
    // The finalizer of MurmurHash3 spreads all bits of a sum that differs for near files and
    // blocks.
    long hash = number * 0x9E37_79B9_7F4A_7C15L + file * 0xC2B2_AE3D_27D4_EB4FL;
    hash = (hash ^ (hash >>> 33)) * 0xFF51_AFD7_ED55_8CCDL;
    hash = (hash ^ (hash >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
    return (int) (hash >>> 33) & (slots - 2);
  }
}
