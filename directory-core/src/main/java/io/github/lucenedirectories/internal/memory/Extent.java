// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.lang.foreign.MemorySegment;

/**
 * A range of addresses of a {@link MemoryRegion} that belongs to one file. Only the region changes
 * it, for one owner at a time.
 */
final class Extent {
  final long address;

  /** Whether it lies in the area of huge pages. */
  final boolean large;

  /** Bytes of address space. */
  long reserved;

  /** Bytes at the start that have memory. */
  long committed;

  /** Whether its last huge page was split into small pages. */
  boolean cut;

  Extent(long address, long reserved, boolean large) {
    this.address = address;
    this.reserved = reserved;
    this.large = large;
  }

  /** The first bytes, valid until the extent is released. */
  @SuppressWarnings("restricted") // the extent has at least these bytes
  MemorySegment bytes(long length) {
    if (length > reserved) {
      throw new IndexOutOfBoundsException("length=" + length + ", reserved=" + reserved);
    }
    return MemorySegment.ofAddress(address).reinterpret(length);
  }
}
