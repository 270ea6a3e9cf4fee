// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

/**
 * A range of a file's bytes in a pool.
 *
 * @param address of its first byte, made by {@link Layout#address}
 * @param length in bytes; the extent takes whole pages
 */
record PoolExtent(long address, long length) {

  /** Length in bytes of the pages that it takes. */
  long pageBytes() {
    return (length + Layout.PAGE_BYTES - 1) / Layout.PAGE_BYTES * Layout.PAGE_BYTES;
  }

  /** The address behind its last page. */
  long end() {
    return address + pageBytes();
  }
}
