package io.github.lucenedirectories.pmem;

/**
 * Where bytes of a file lie.
 *
 * @param address of the first, as {@link Layout#address} makes it
 * @param length in bytes; the extent takes whole pages
 */
record PoolExtent(long address, long length) {

  /** The bytes of the pages that it takes. */
  long pageBytes() {
    return (length + Layout.PAGE_BYTES - 1) / Layout.PAGE_BYTES * Layout.PAGE_BYTES;
  }

  /** The address behind its last page. */
  long end() {
    return address + pageBytes();
  }
}
