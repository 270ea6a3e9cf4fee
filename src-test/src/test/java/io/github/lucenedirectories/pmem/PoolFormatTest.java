// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.Llpl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.Before;

/**
 * Pool files that are not as they should be: each is refused with a message that names file, field,
 * expected and found, and stays as it is.
 */
@LuceneTestCase.SuppressFileSystems("*") // what a mock file system adds is no pool file
public class PoolFormatTest extends PoolTestCase {

  private static final String FIRST = "pool-00000.pmem";
  private static final String SECOND = "pool-00001.pmem";
  private static final String THIRD = "pool-00002.pmem";

  /** Two of them do not fit into one pool file. */
  private static final int LARGE_BYTES = 700 << 10;

  private Path folder;
  private Map<String, byte[]> files;
  private Map<String, byte[]> pools;

  /** Three pool files with a large file in each. */
  @Before
  public void makePools() throws IOException {
    folder = createTempDir();
    files = makePools(folder);
    pools = poolFiles(folder);
    assertEquals(List.of(FIRST, SECOND, THIRD), List.copyOf(pools.keySet()));
  }

  private static Map<String, byte[]> makePools(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : List.of("_0.fdt", "_1.fdt", "_2.fdt")) {
      files.put(name, randomBytes(LARGE_BYTES));
    }
    files.put("_0.si", randomBytes(100));
    files.put("empty", new byte[0]);
    try (PmemDirectory directory = byJdk(folder).build()) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        writeDurably(directory, file.getKey(), file.getValue());
      }
    }
    return files;
  }

  /** Opens the pools twice: the first time leaves neither a lock nor a change behind. */
  private <E extends IOException> void assertRefused(Class<E> kind, String file, String... parts)
      throws IOException {
    Map<String, byte[]> before = poolFiles(folder);
    for (int i = 0; i < 2; i++) {
      String message = expectThrows(kind, () -> byJdk(folder).build()).toString();
      for (String part : parts) {
        assertTrue("'" + part + "' in: " + message, message.contains(part));
      }
      assertTrue(message, message.contains(folder.resolve(file).toString()));
    }
    assertPools(before, poolFiles(folder));
  }

  private void assertRefused(String file, String field) throws IOException {
    assertRefused(CorruptIndexException.class, file, "field=" + field, "expected=", "found=");
  }

  private interface Edit {
    void apply(ByteBuffer bytes);
  }

  private void edit(String file, Edit edit) throws IOException {
    byte[] bytes = Objects.requireNonNull(pools.get(file)).clone();
    edit.apply(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    Files.write(folder.resolve(file), bytes);
  }

  private String anyPool() {
    return List.copyOf(pools.keySet()).get(random().nextInt(pools.size()));
  }

  public void testEnginesReadEachOther() throws IOException {
    assumeTrue("LLPL", Llpl.loads());
    for (int round = 0; round < 4; round++) {
      PmemDirectory.Builder builder = round % 2 == 0 ? byLlpl(folder) : byJdk(folder);
      try (PmemDirectory directory = builder.build()) {
        assertFiles(files, directory);
        byte[] bytes = randomBytes(1 + random().nextInt(300_000));
        writeDurably(directory, "of round " + round, bytes);
        files.put("of round " + round, bytes);
        if (round == 1) {
          compact(directory);
        }
      }
    }
    assertReopened(files, byJdk(folder));
  }

  public void testLengthOfFile() throws IOException {
    for (String pool : pools.keySet()) {
      byte[] bytes = pools.get(pool);
      int cut = Layout.SUPERBLOCK_BYTES + random().nextInt(bytes.length - Layout.SUPERBLOCK_BYTES);
      for (int length : new int[] {bytes.length - 1, bytes.length + 1, cut}) {
        Files.write(folder.resolve(pool), Arrays.copyOf(bytes, length));
        assertRefused(pool, "length of file");
      }
      for (int length : new int[] {0, random().nextInt(Layout.SUPERBLOCK_BYTES)}) {
        Files.write(folder.resolve(pool), Arrays.copyOf(bytes, length));
        assertRefused(pool, "length of superblock");
      }
      restore(folder, pools);
    }
  }

  public void testEveryBitOfASuperblock() throws IOException {
    String pool = anyPool();
    for (int bit = 0; bit < Layout.SUPERBLOCK_BYTES * Byte.SIZE; bit++) {
      int at = bit;
      edit(pool, bytes -> flip(bytes, at));
      int offset = bit / Byte.SIZE;
      if (offset < Layout.VERSION_AT) {
        assertRefused(pool, "magic");
      } else if (offset >= Layout.INDEX_AT) {
        assertRefused(pool, "checksum of superblock");
      } else if ((Layout.VERSION ^ 1 << bit % Integer.SIZE) > Layout.VERSION) {
        assertRefused(
            IndexFormatTooNewException.class,
            pool,
            "version",
            Integer.toString(Layout.VERSION ^ 1 << bit % Integer.SIZE),
            "between " + Layout.VERSION + " and " + Layout.VERSION);
      } else {
        assertRefused(pool, "version");
      }
    }
  }

  private static void flip(ByteBuffer bytes, int bit) {
    int at = bit / Byte.SIZE;
    bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit % Byte.SIZE));
  }

  /** Bits of log headers, of records, and of the word that ends the log. */
  public void testBitsOfTheLogs() throws IOException {
    long used;
    try (PmemDirectory directory = byJdk(folder).build()) {
      compact(directory);
      writeDurably(directory, "behind", new byte[0]);
      writeDurably(directory, "the end", new byte[0]);
      used = metric(directory, "pmem.log.bytes");
    }
    pools = poolFiles(folder);
    long logBytes = Layout.logBytes(POOL_BYTES);
    for (int log = 0; log < Layout.LOGS; log++) {
      int start = (int) Layout.logAt(log, logBytes);
      for (int bit = 0; bit < Layout.LOG_HEADER_BYTES * Byte.SIZE; bit++) {
        int at = start * Byte.SIZE + bit;
        edit(FIRST, bytes -> flip(bytes, at));
        assertRefused(FIRST, "header of log " + log);
      }
    }
    int start = (int) Layout.logAt(1, logBytes);
    int from = (start + Layout.LOG_HEADER_BYTES) * Byte.SIZE;
    int to = (int) (start + used + Layout.RECORD_HEADER_BYTES) * Byte.SIZE;
    for (int i = 0; i < 500; i++) {
      int at = from + random().nextInt(to - from);
      edit(FIRST, bytes -> flip(bytes, at));
      String message =
          expectThrows(CorruptIndexException.class, () -> byJdk(folder).build()).toString();
      assertTrue(message, message.contains(" of record at offset "));
    }
    edit(FIRST, bytes -> flip(bytes, to - 1));
    assertRefused(FIRST, "length of record at offset " + (start + used));
    edit(FIRST, bytes -> flip(bytes, from));
    assertRefused(FIRST, "header of record at offset " + from / Byte.SIZE);
    edit(FIRST, bytes -> bytes.putLong((int) Layout.logAt(0, logBytes), 0).putLong(start, 0));
    assertRefused(FIRST, "header of logs");
  }

  public void testMissingPoolFile() throws IOException {
    Files.delete(folder.resolve(SECOND));
    assertRefused(THIRD, "name of file");
    restore(folder, pools);
    Files.delete(folder.resolve(FIRST));
    assertRefused(SECOND, "name of file");
    restore(folder, pools);
    // Nobody misses it by its name, but a file does.
    Files.delete(folder.resolve(THIRD));
    assertRefused(FIRST, "pool file of _2.fdt");
  }

  public void testPoolsOfTwoDirectories() throws IOException {
    Path other = createTempDir();
    makePools(other);
    Map<String, byte[]> others = poolFiles(other);
    Files.write(folder.resolve(SECOND), others.get(SECOND));
    assertRefused(SECOND, "UUID");
    restore(folder, pools);
    Files.write(folder.resolve(FIRST), others.get(FIRST));
    assertRefused(SECOND, "UUID");
    restore(folder, pools);
    Files.write(folder.resolve(THIRD), pools.get(SECOND));
    assertRefused(THIRD, "index of pool file");
  }

  public void testExtentsThatCannotBe() throws IOException {
    long firstPage = Layout.extentsAt(0, Layout.logBytes(POOL_BYTES));
    long page = Layout.PAGE_BYTES;
    long last = POOL_BYTES - 4 * page;
    for (PoolExtent extent :
        List.of(
            // The large file is the first in its pool.
            extent(0, firstPage, LARGE_BYTES),
            extent(0, firstPage + page, 1),
            extent(0, firstPage + LARGE_BYTES - page, 2 * page),
            extent(0, firstPage - page, 1),
            extent(0, 0, 1),
            extent(0, POOL_BYTES, 1),
            extent(0, POOL_BYTES - page + 8, 1),
            extent(0, POOL_BYTES - page, page + 1),
            extent(0, POOL_BYTES - page, 0),
            extent(0, POOL_BYTES - page, -1),
            extent(0, POOL_BYTES - page, Long.MAX_VALUE),
            extent(0, POOL_BYTES - page, Long.MAX_VALUE - page))) {
      requireRefused("extent", extent);
    }
    for (PoolExtent extent :
        List.of(extent(3, page, 1), extent(-1, page, 1), new PoolExtent(-1, 1))) {
      requireRefused("pool file", extent);
    }
    requireRefused("extent", extent(0, last, page), extent(0, last + 2 * page, 2 * page));
    append(new LogEntry.Rename("nobody", "zz"));
    assertRefused(FIRST, "record at offset ");
  }

  /** With right checksums, as someone could write them: no name leads out of a folder. */
  public void testCraftedNamesAndLengths() throws IOException {
    for (String name : List.of("../victim", "/victim", "a\\b", "..", "")) {
      append(new LogEntry.Put(name, List.of()));
      assertRefused(FIRST, "record at offset ");
      restore(folder, pools);
    }
    Superblock found;
    try (FolderStore store = FolderStore.open(folder, PmemEngine.JDK, PmemMode.FILE)) {
      found = Superblock.read(store, FIRST);
    }
    for (long log :
        new long[] {-4_096, 0, 4_104, POOL_BYTES / 2, 1L << 60, Long.MAX_VALUE / 4_096}) {
      edit(
          FIRST,
          bytes -> bytes.put(0, new Superblock(0, found.uuid(), found.poolBytes(), log).encode()));
      assertRefused(FIRST, "length of log");
    }
  }

  private static PoolExtent extent(int pool, long offset, long length) {
    return new PoolExtent(Layout.address(pool, offset), length);
  }

  private void requireRefused(String field, PoolExtent... extents) throws IOException {
    append(new LogEntry.Put("zz", List.of(extents)));
    assertRefused(FIRST, field + " of zz");
    restore(folder, pools);
  }

  /** Puts a record with a right checksum behind the others. */
  private void append(LogEntry entry) throws IOException {
    try (FolderStore store = FolderStore.open(folder, PmemEngine.JDK, PmemMode.FILE);
        PoolMemory pool = store.map(FIRST)) {
      new MetadataLog(pool, FIRST, Superblock.read(store, FIRST), _ -> {})
          .append(List.of(entry), List::of);
    }
  }

  /** Behind the end of a log lie records of its earlier life, which must not be taken for new. */
  public void testStaleRecordsBehindTheEnd() throws IOException {
    int logBytes = (int) Layout.logBytes(POOL_BYTES);
    int firstRecord = (int) Layout.logAt(0, logBytes) + Layout.LOG_HEADER_BYTES;
    byte[] stale =
        Arrays.copyOfRange(
            Objects.requireNonNull(pools.get(FIRST)), firstRecord, firstRecord + logBytes / 2);
    try (PmemDirectory directory = byJdk(folder).build()) {
      for (String name : files.keySet()) {
        directory.deleteFile(name);
      }
      // Into the other log and back.
      compact(directory);
      compact(directory);
    }
    try (PmemDirectory directory = byJdk(folder).build()) {
      assertArrayEquals(new String[0], directory.listAll());
    }
    // As if nothing had been written but the header of the log: whole, but of another generation.
    pools = poolFiles(folder);
    edit(FIRST, bytes -> bytes.put(firstRecord, stale));
    assertRefused(FIRST, "header of record at offset " + firstRecord);
  }

  /** A whole record that lies elsewhere, or is another directory's, is not a record. */
  public void testRecordsOfAnotherPlace() throws IOException {
    int start = (int) Layout.logAt(0, Layout.logBytes(POOL_BYTES));
    int first = start + Layout.LOG_HEADER_BYTES;
    int end;
    try (PmemDirectory directory = byJdk(folder).build()) {
      end = start + (int) metric(directory, "pmem.log.bytes");
    }
    byte[] records = Arrays.copyOfRange(Objects.requireNonNull(pools.get(FIRST)), first, end);
    edit(FIRST, bytes -> bytes.put(end, records));
    assertRefused(FIRST, "header of record at offset " + end);
    Path other = createTempDir();
    makePools(other);
    byte[] others = Files.readAllBytes(other.resolve(FIRST));
    edit(FIRST, bytes -> bytes.put(first, others, first, end - first));
    assertRefused(FIRST, "header of record at offset " + first);
    edit(FIRST, bytes -> bytes.put(start, others, start, end - start));
    assertRefused(FIRST, "header of log 0");
    int second = (int) Layout.logAt(1, Layout.logBytes(POOL_BYTES));
    edit(FIRST, bytes -> bytes.putLong(second, bytes.getLong(start)));
    assertRefused(FIRST, "header of log 1");
  }
}
