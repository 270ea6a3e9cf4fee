// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.fuzz;

import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.testkit.StoreTestCase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.apache.lucene.store.Directory;

/** Two pool files. */
final class PoolFormat implements FuzzTarget.Format {

  private static final int POOL_BYTES = 1 << 20;
  private static final int CHECKSUM_AT = 48;
  private static final int UUID_AT = 16;
  private static final int LOG_AT = 1 << 12;

  private static Directory open(Path work) throws IOException {
    return PmemDirectory.builder(work)
        .engine(PmemEngine.JDK)
        .mode(PmemMode.FILE)
        .initialBytes(POOL_BYTES)
        .poolFileBytes(POOL_BYTES)
        .build();
  }

  private static void write(Directory directory, String name, int bytes) throws IOException {
    StoreTestCase.write(directory, name, new byte[bytes]);
    directory.sync(List.of(name));
  }

  @Override
  public void make(Path work) throws IOException {
    try (Directory directory = open(work)) {
      write(directory, "_0.fdt", 700 << 10);
      write(directory, "_1.fdt", 700 << 10);
      write(directory, "pending_segments_1", 9);
      directory.rename("pending_segments_1", "segments_1");
      directory.deleteFile("_0.fdt");
    }
  }

  @Override
  public boolean changes(String file) {
    return file.endsWith(".pmem");
  }

  @Override
  public void correct(Map<String, byte[]> files) {
    byte[] pool = Objects.requireNonNull(files.get("pool-00000.pmem"));
    ByteBuffer bytes = ByteBuffer.wrap(pool).order(ByteOrder.LITTLE_ENDIAN);
    int at = LOG_AT + Long.BYTES;
    if (pool.length <= at) {
      return;
    }
    bytes.putLong(CHECKSUM_AT, crc(ByteBuffer.wrap(pool, 0, CHECKSUM_AT)));
    while (at < pool.length - 2 * Long.BYTES && bytes.getLong(at) != 0) {
      int length = bytes.getInt(at + Integer.BYTES);
      if (length < 0 || length > pool.length - at - 2 * Long.BYTES) {
        return;
      }
      // The UUID, the place and the generation of the log.
      ByteBuffer head = ByteBuffer.allocate(LOG_AT);
      head.putLong(bytes.getLong(UUID_AT)).putLong(bytes.getLong(UUID_AT + Long.BYTES));
      head.putLong(at).putInt(bytes.getInt(LOG_AT + Integer.BYTES));
      ByteBuffer body = ByteBuffer.wrap(pool, at + Long.BYTES, length);
      bytes.putInt(at, (int) crc(head.flip(), body));
      at += Long.BYTES + length;
    }
  }

  private static long crc(ByteBuffer... parts) {
    CRC32C crc = new CRC32C();
    for (ByteBuffer part : parts) {
      crc.update(part);
    }
    return crc.getValue();
  }

  @Override
  public void check(Map<String, byte[]> files, int choice, Path work) throws IOException {
    FuzzTarget.save(files, work);
    Set<String> names;
    try (Directory directory = open(work)) {
      names = new TreeSet<>(List.of(directory.listAll()));
      for (String name : names) {
        StoreTestCase.read(directory, name);
      }
      if (names.add("_9.si")) {
        write(directory, "_9.si", 9);
      }
    } catch (IOException _) {
      // As documented.
      return;
    }
    try (Directory directory = open(work)) {
      if (!names.equals(Set.of(directory.listAll()))) {
        throw new AssertionError(names + " became " + List.of(directory.listAll()));
      }
    } catch (IOException e) {
      throw new AssertionError("cannot be opened again", e);
    }
  }
}
