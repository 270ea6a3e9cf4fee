package io.github.lucenedirectories.internal.memory;

import java.lang.foreign.MemorySegment;

/**
 * A range of addresses of a {@link MemoryRegion} that belongs to one file. The region alone changes
 * it, for one owner at a time.
 */
final class Extent {
  final long address;

  /** Whether it lies in the area of huge pages. */
  final boolean large;

  /** Bytes of address space. */
  long reserved;

  /** Bytes from the start on that have memory. */
  long committed;

  /** Of the file, or of what is committed while it is written. */
  long fileBytes;

  /** Whether its last huge page was cut and is small pages now. */
  boolean cut;

  /** Whether it is kept from being swapped out. */
  boolean locked;

  Extent(long address, long reserved, boolean large) {
    this.address = address;
    this.reserved = reserved;
    this.large = large;
  }

  /** The first bytes, valid for as long as the extent is not released. */
  @SuppressWarnings("restricted") // the extent has at least these bytes
  MemorySegment bytes(long length) {
    if (length > reserved) {
      throw new IndexOutOfBoundsException("length=" + length + ", reserved=" + reserved);
    }
    return MemorySegment.ofAddress(address).reinterpret(length);
  }
}
