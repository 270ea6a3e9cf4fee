// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.LiveResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.MergeInfo;

/** How files take room in pools and give it back. */
public class PmemSpaceTest extends PoolTestCase {

  private static final long PATIENCE_MILLIS = 5_000;

  /** Writes a file by calls of any length. */
  private static void writeInPieces(PmemDirectory directory, String name, byte[] bytes)
      throws IOException {
    writeInPieces(directory, name, IOContext.DEFAULT, bytes);
  }

  private static void writeInPieces(
      PmemDirectory directory, String name, IOContext context, byte[] bytes) throws IOException {
    try (IndexOutput out = directory.createOutput(name, context)) {
      for (int done = 0; done < bytes.length; ) {
        int n = Math.min(bytes.length - done, 1 + random().nextInt(1 << random().nextInt(1, 20)));
        out.writeBytes(bytes, done, n);
        done += n;
      }
    }
  }

  private static boolean isInOneExtent(PmemDirectory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      return ((MemorySegmentAccessInput) in).segmentSliceOrNull(0, in.length()) != null;
    }
  }

  /** Each pool file that a growing file needs is longer than the one before. */
  public void testGrowingFileMakesFewPools() throws IOException {
    Path folder = createTempDir();
    byte[] bytes = randomBytes((int) (24 * POOL_BYTES));
    Map<String, byte[]> files = Map.of("long", bytes);
    try (PmemDirectory directory = pools(folder).build()) {
      writeInPieces(directory, "long", bytes);
      assertFiles(files, directory);
      assertTrue(isInOneExtent(directory, "long"));
      long pools = metric(directory, "pmem.pool.files");
      assertTrue(pools + " pools", pools > 1 && pools <= 7);
      assertTrue(metric(directory, "pmem.total.bytes") <= 4L * bytes.length);
      directory.sync(List.of("long"));
    }
    assertReopened(files, pools(folder));
  }

  /** Lucene's estimate for a segment may be far too low or too high for a file in it. */
  public void testWrongEstimates() throws IOException {
    byte[] bytes = randomBytes((int) POOL_BYTES + random().nextInt((int) POOL_BYTES));
    try (PmemDirectory directory = pools(createTempDir()).build()) {
      for (long estimate :
          new long[] {1, random().nextInt(1, 1 << 19), bytes.length / 2, bytes.length, 1L << 40}) {
        IOContext context =
            random().nextBoolean()
                ? IOContext.flush(new FlushInfo(1, estimate))
                : IOContext.merge(new MergeInfo(1, estimate, false, 1));
        writeInPieces(directory, "file", context, bytes);
        assertFiles(Map.of("file", bytes), directory);
        directory.deleteFile("file");
      }
      directory.syncMetaData();
      assertAllFree(directory);
    }
  }

  /** Free pages that are being touched are not lost for a file that needs them. */
  public void testRoomThatIsTouched() throws Exception {
    long pages = 8L * Layout.PAGE_BYTES;
    long bytes = Layout.extentsAt(0, Layout.logBytes(Layout.SMALLEST_POOL_BYTES)) + pages;
    SimulatedDevice device = new SimulatedDevice(new PmemOptions(bytes, bytes, bytes, 1L << 30));
    device.touchesFreely = true;
    CountDownLatch touching = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    device.watch =
        step -> {
          if (step == SimulatedDevice.Step.WRITE && touching.getCount() > 0) {
            touching.countDown();
            await(written, PATIENCE_MILLIS / 20);
          }
          return false;
        };
    try (PmemDirectory directory = device.open()) {
      await(touching, PATIENCE_MILLIS);
      write(directory, "all", new byte[Math.toIntExact(pages)]);
      written.countDown();
    }
  }

  private static void await(CountDownLatch latch, long millis) {
    try {
      boolean _ = latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** No pool file may be as long as the file: it lies in parts, in several of them. */
  public void testLongFileInParts() throws IOException {
    Path folder = createTempDir();
    long limit = 4 * POOL_BYTES;
    // The last page is not full.
    byte[] bytes =
        randomBytes((int) (2 * POOL_BYTES + POOL_BYTES / 4 + 1 + random().nextInt(4_000)));
    Map<String, byte[]> files = Map.of("long", bytes);
    try (PmemDirectory directory = pools(folder).maxBytes(limit).build()) {
      writeInPieces(directory, "long", bytes);
      assertFiles(files, directory);
      assertFalse(isInOneExtent(directory, "long"));
      assertTrue(metric(directory, "pmem.total.bytes") <= limit);
      directory.sync(List.of("long"));
    }
    try (PmemDirectory directory = pools(folder).maxBytes(limit).build()) {
      assertFiles(files, directory);
      assertFalse(isInOneExtent(directory, "long"));
      expectThrows(IOException.class, () -> writeInPieces(directory, "no room", bytes));
      directory.deleteFile("no room");
      directory.deleteFile("long");
      directory.syncMetaData();
      assertAllFree(directory);
      // It is shorter than a part when it is cut.
      try (IndexOutput out = directory.createOutput("jump", IOContext.DEFAULT)) {
        out.writeBytes(bytes, 50_000);
        out.writeBytes(bytes, 50_000, bytes.length - 50_000);
      }
      assertFiles(Map.of("jump", bytes), directory);
      directory.deleteFile("jump");
      assertAllFree(directory);
    }
  }

  /** What is too little for another pool file of the usual length is used all the same. */
  public void testAllOfGreatestBytesIsUsed() throws IOException {
    long limit = 2 * POOL_BYTES + POOL_BYTES / 2;
    try (PmemDirectory directory = pools(createTempDir()).maxBytes(limit).build()) {
      fill(directory, new TreeMap<>(), 50_000);
      assertEquals(3, metric(directory, "pmem.pool.files"));
      assertTrue(metric(directory, "pmem.total.bytes") > 2 * POOL_BYTES);
    }
  }

  /** A crash while a pool file was made leaves something that takes room. */
  public void testUnfinishedPoolIsDeleted() throws IOException {
    Path folder = createTempDir();
    Path unfinished = folder.resolve("pool-00001.pmem.unfinished");
    Files.write(unfinished, new byte[100]);
    pools(folder).build().close();
    assertFalse(Files.exists(unfinished));
  }

  /** Writing makes deletions durable that nothing else did, where it needs their room. */
  public void testRoomOfDeletedFilesIsFound() throws IOException {
    try (PmemDirectory directory = pools(createTempDir()).maxBytes(3 * POOL_BYTES).build()) {
      Map<String, byte[]> files = new TreeMap<>();
      fill(directory, files, 200_000);
      directory.sync(files.keySet());
      for (String name : files.keySet()) {
        directory.deleteFile(name);
      }
      byte[] other = randomBytes(600_000);
      writeInPieces(directory, "other", other);
      assertFiles(Map.of("other", other), directory);
    }
  }

  /** Writes files until there is no room. */
  private static void fill(PmemDirectory directory, Map<String, byte[]> files, int fileBytes)
      throws IOException {
    for (int i = 0; ; i++) {
      String name = "_" + i + ".dat";
      byte[] bytes = randomBytes(fileBytes);
      try {
        writeInPieces(directory, name, bytes);
        files.put(name, bytes);
      } catch (IOException e) {
        String message = String.valueOf(e.getMessage());
        assertTrue(
            message,
            message.matches(
                "the pools are full, and none can be added: file="
                    + name
                    + ", neededBytes=\\d+, freeBytes=\\d+, longestFreeBytes=\\d+, maxBytes=\\d+: .*:"
                    + " no room for a pool file: .*; make room on the device, delete files or raise"
                    + " maxBytes: .*"));
        assertFalse(List.of(directory.listAll()).contains(name));
        assertTrue("some had room", i > 3);
        return;
      }
    }
  }

  /** What readers had becomes free in the background. */
  private static void assertAllFree(PmemDirectory directory) {
    await(() -> metric(directory, "pmem.free.bytes") == metric(directory, "pmem.total.bytes"));
  }

  /** Pools that are in use when the directory is closed are unmapped with their last extent. */
  public void testPoolsAreUnmappedWithTheLastExtent() throws Exception {
    PageAllocator allocator = new PageAllocator();
    allocator.add(0, 1 << 20);
    long[] extents = {allocate(allocator), allocate(allocator)};
    AtomicInteger unmapped = new AtomicInteger();
    assertFalse(allocator.isUnusedOr(unmapped::incrementAndGet));
    allocator.unused(extents[0]);
    assertEquals(0, unmapped.get());
    allocator.unused(extents[1]);
    assertEquals(1, unmapped.get());
    allocator.unused(allocate(allocator));
    assertEquals("only once", 1, unmapped.get());
    long before = LiveResource.MAPPED_BYTES.amount();
    Path folder = createTempDir();
    for (int i = 0; i < 50; i++) {
      PmemDirectory directory = pools(folder).build();
      write(directory, "file", new byte[100]);
      IndexInput in = directory.openInput("file", IOContext.DEFAULT);
      FutureTask<Void> closing = begin(() -> in.close());
      directory.close();
      closing.get();
      await(() -> LiveResource.MAPPED_BYTES.amount() == before);
    }
  }

  private static long allocate(PageAllocator allocator) {
    return Objects.requireNonNull(allocator.allocate(1)).address();
  }

  /** An input keeps the bytes of a deleted file from being written over. */
  public void testReaderKeepsItsBytes() throws IOException {
    try (PmemDirectory directory = pools(createTempDir()).maxBytes(2 * POOL_BYTES).build()) {
      byte[] bytes = randomBytes(300_000);
      writeDurably(directory, "read", bytes);
      try (IndexInput in = directory.openInput("read", IOContext.DEFAULT)) {
        directory.deleteFile("read");
        directory.syncMetaData();
        Map<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < 30; i++) {
          byte[] other = randomBytes(1 + random().nextInt(300_000));
          writeDurably(directory, "other" + i, other);
          files.put("other" + i, other);
          if (i > 1) {
            directory.deleteFile("other" + (i - 2));
            files.remove("other" + (i - 2));
          }
        }
        assertFiles(files, directory);
        assertArrayEquals(bytes, remaining(in));
      }
    }
  }

  /** Without a limit no writer finds the pools full because others are faster. */
  public void testWritersThatGrowPoolsTogether() throws Exception {
    List<FutureTask<?>> writers = new ArrayList<>();
    try (PmemDirectory directory = pools(createTempDir()).build()) {
      for (int thread = 0; thread < 4; thread++) {
        String name = "_" + thread + "_";
        byte[] bytes = new byte[(int) (thread % 2 == 0 ? POOL_BYTES + 5_000 : 150_000)];
        writers.add(
            begin(
                () -> {
                  for (int i = 0; i < 10; i++) {
                    write(directory, name + i, bytes);
                  }
                }));
      }
      for (FutureTask<?> writer : writers) {
        writer.get();
      }
    }
  }
}
