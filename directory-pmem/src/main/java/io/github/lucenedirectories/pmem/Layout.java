// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

/**
 * Offsets and lengths in pool files; all numbers are little-endian. {@code docs/pmem-format.md}
 * describes the format.
 */
final class Layout {
  static final int VERSION = 1;

  /** The unit of extents, and the space for a superblock. */
  static final int PAGE_BYTES = 4096;

  // The superblock of every pool file.
  static final long MAGIC = 0x4D454D50_4E43554CL; // "LUCNPMEM"
  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 8;
  static final int INDEX_AT = 12;
  static final int UUID_HIGH_AT = 16;
  static final int UUID_LOW_AT = 24;
  static final int POOL_BYTES_AT = 32;
  static final int LOG_BYTES_AT = 40;
  static final int CHECKSUM_AT = 48;
  static final int SUPERBLOCK_BYTES = 56;

  // The metadata logs, one after the other behind the superblock, in the first pool file only.
  static final int LOGS = 2;

  /** A log begins with its header word; records follow. */
  static final int LOG_HEADER_BYTES = 8;

  /** A record begins with its header word: length of its body (upper half) and checksum (lower). */
  static final int RECORD_HEADER_BYTES = 8;

  /** The length of a body is a multiple of this; zeros pad it. */
  static final int RECORD_ALIGNMENT = 8;

  private static final long SMALLEST_LOG_BYTES = 1L << 16;
  private static final long LARGEST_LOG_BYTES = 1L << 24;
  private static final int LOG_SHARE = 64;

  /** A shorter pool file has hardly any room for files. */
  static final long SMALLEST_POOL_BYTES = 1L << 20;

  private static final int ADDRESS_SHIFT = 44;

  private Layout() {}

  /** Length of each log in a first pool file of the given length. */
  static long logBytes(long poolBytes) {
    long share = poolBytes / LOG_SHARE / PAGE_BYTES * PAGE_BYTES;
    return Math.max(SMALLEST_LOG_BYTES, Math.min(LARGEST_LOG_BYTES, share));
  }

  static long logAt(int log, long logBytes) {
    return PAGE_BYTES + log * logBytes;
  }

  static long extentsAt(int pool, long logBytes) {
    return pool == 0 ? logAt(LOGS, logBytes) : PAGE_BYTES;
  }

  /** The address of a byte of a pool file, unique among all pools. */
  static long address(int pool, long offset) {
    return ((long) (pool + 1) << ADDRESS_SHIFT) + offset;
  }

  static int poolOf(long address) {
    return (int) (address >>> ADDRESS_SHIFT) - 1;
  }

  static long offsetOf(long address) {
    return address & (1L << ADDRESS_SHIFT) - 1;
  }
}
