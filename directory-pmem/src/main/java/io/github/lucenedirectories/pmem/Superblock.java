// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a pool file; they never change.
 *
 * @param index of the pool file, from 0
 * @param uuid of the directory
 * @param poolBytes length of the file
 * @param logBytes length of each metadata log
 */
record Superblock(int index, UUID uuid, long poolBytes, long logBytes) {

  byte[] encode() {
    byte[] head = new byte[Layout.SUPERBLOCK_BYTES];
    ByteBuffer bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(Layout.MAGIC_AT, Layout.MAGIC);
    bytes.putInt(Layout.VERSION_AT, Layout.VERSION);
    bytes.putInt(Layout.INDEX_AT, index);
    bytes.putLong(Layout.UUID_HIGH_AT, uuid.getMostSignificantBits());
    bytes.putLong(Layout.UUID_LOW_AT, uuid.getLeastSignificantBits());
    bytes.putLong(Layout.POOL_BYTES_AT, poolBytes);
    bytes.putLong(Layout.LOG_BYTES_AT, logBytes);
    bytes.putLong(Layout.CHECKSUM_AT, checksum(head));
    return head;
  }

  private static long checksum(byte[] head) {
    CRC32C sum = new CRC32C();
    sum.update(head, 0, Layout.CHECKSUM_AT);
    return sum.getValue();
  }

  /**
   * Reads and checks the superblock of a file.
   *
   * @throws IOException if the file is foreign, of another version, damaged or truncated; it names
   *     file, field, expected and found
   */
  static Superblock read(PoolStore store, String name) throws IOException {
    String path = store.path(name);
    byte[] head = store.head(name, Layout.SUPERBLOCK_BYTES);
    check(path, "length of superblock", Layout.SUPERBLOCK_BYTES, head.length);
    ByteBuffer bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    check(path, "magic", Layout.MAGIC, bytes.getLong(Layout.MAGIC_AT));
    int version = bytes.getInt(Layout.VERSION_AT);
    if (version > Layout.VERSION) {
      throw new IndexFormatTooNewException(path, version, Layout.VERSION, Layout.VERSION);
    }
    check(path, "version", Layout.VERSION, version);
    check(path, "checksum of superblock", checksum(head), bytes.getLong(Layout.CHECKSUM_AT));
    Superblock block =
        new Superblock(
            bytes.getInt(Layout.INDEX_AT),
            new UUID(bytes.getLong(Layout.UUID_HIGH_AT), bytes.getLong(Layout.UUID_LOW_AT)),
            bytes.getLong(Layout.POOL_BYTES_AT),
            bytes.getLong(Layout.LOG_BYTES_AT));
    check(path, "length of file", block.poolBytes, store.length(name));
    long log = block.logBytes;
    if (log < (block.index == 0 ? Layout.PAGE_BYTES : 0)
        || log % Layout.PAGE_BYTES != 0
        || log > block.poolBytes
        || Layout.logAt(Layout.LOGS, log) > block.poolBytes) {
      throw damaged(path, "length of log", "pages within the file", log);
    }
    return block;
  }

  private static void check(String path, String field, long expected, long found)
      throws CorruptIndexException {
    if (expected != found) {
      throw damaged(path, field, expected, found);
    }
  }

  static CorruptIndexException damaged(
      String path, String field, Object expected, @Nullable Object found) {
    return new CorruptIndexException(
        "not a usable pool file: field=" + field + ", expected=" + expected + ", found=" + found,
        path);
  }
}
