package io.github.lucenedirectories.pmem;

import static io.github.lucenedirectories.pmem.SmallPools.POOL_BYTES;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.util.NamedThreadFactory;

/** How files take room in pools and give it back. */
public class PmemSpaceTest extends LibraryTestCase {

  private static final long PATIENCE_MILLIS = 5_000;

  private static PmemDirectory.Builder pools(Path folder) {
    return SmallPools.any(folder, random());
  }

  /** Writes a file by calls of any length. */
  private static void writeInPieces(PmemDirectory directory, String name, byte[] bytes)
      throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
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

  public void testLongFileMakesPools() throws IOException {
    Path folder = createTempDir();
    byte[] bytes = randomBytes((int) (5 * POOL_BYTES / 2));
    Map<String, byte[]> files = Map.of("long", bytes);
    try (PmemDirectory directory = pools(folder).build()) {
      writeInPieces(directory, "long", bytes);
      SmallPools.assertFiles(files, directory);
      assertTrue(isInOneExtent(directory, "long"));
      assertTrue(directory.usage().poolFiles() > 1);
      directory.sync(List.of("long"));
    }
    try (PmemDirectory directory = pools(folder).build()) {
      SmallPools.assertFiles(files, directory);
    }
  }

  /** Each pool file that a growing file needs is longer than the one before. */
  public void testGrowingFileMakesFewPools() throws IOException {
    byte[] bytes = randomBytes((int) (24 * POOL_BYTES));
    try (PmemDirectory directory = pools(createTempDir()).build()) {
      writeInPieces(directory, "long", bytes);
      SmallPools.assertFiles(Map.of("long", bytes), directory);
      assertTrue(isInOneExtent(directory, "long"));
      PmemUsage usage = directory.usage();
      assertTrue(usage.toString(), usage.poolFiles() <= 7);
      assertTrue(usage.toString(), usage.totalBytes() <= 4L * bytes.length);
    }
  }

  /** Free pages that are being touched are not lost for a file that needs them. */
  public void testRoomThatIsTouched() throws Exception {
    long page = Layout.PAGE_BYTES;
    long first = Layout.extentsAt(0, Layout.logBytes(Layout.SMALLEST_POOL_BYTES)) + page;
    long more = Layout.extentsAt(1, 0) + 8 * page;
    SimulatedDevice device =
        new SimulatedDevice(new PmemOptions(first, more, first + more, 1L << 30, true));
    CountDownLatch touching = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    device.changePools(
        pool ->
            new ForwardingPool(pool) {
              @Override
              public void populate(long offset, long length) {
                if (pool.size() == more) {
                  touching.countDown();
                  await(written, PATIENCE_MILLIS / 20);
                }
              }
            });
    try (PmemDirectory directory = device.open()) {
      // The second file needs the second pool, and the third one all that is left in it.
      write(directory, "first", new byte[1 << 12]);
      write(directory, "second", new byte[1 << 12]);
      await(touching, PATIENCE_MILLIS);
      write(directory, "last", new byte[7 << 12]);
      written.countDown();
    }
  }

  /** An open that waits until all pages are populated goes on when that fails. */
  public void testPopulationFails() throws Exception {
    SimulatedDevice device =
        new SimulatedDevice(new PmemOptions(POOL_BYTES, POOL_BYTES, POOL_BYTES, 1L << 30, true));
    device.changePools(
        pool ->
            new ForwardingPool(pool) {
              @Override
              public void populate(long offset, long length) {
                throw new OutOfMemoryError("the test lets it fail");
              }
            });
    // The thread ends by the error.
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, _) -> {});
    try (PmemDirectory directory = device.open()) {
      write(directory, "file", new byte[1]);
      assertArrayEquals(new byte[1], read(directory, "file"));
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(handler);
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
    byte[] bytes = randomBytes((int) (2 * POOL_BYTES + POOL_BYTES / 4 + 1 + random().nextInt(4_000)));
    Map<String, byte[]> files = Map.of("long", bytes);
    try (PmemDirectory directory = pools(folder).maxBytes(limit).build()) {
      writeInPieces(directory, "long", bytes);
      SmallPools.assertFiles(files, directory);
      assertFalse(isInOneExtent(directory, "long"));
      assertTrue(directory.usage().totalBytes() <= limit);
      directory.sync(List.of("long"));
    }
    try (PmemDirectory directory = pools(folder).maxBytes(limit).build()) {
      SmallPools.assertFiles(files, directory);
      assertFalse(isInOneExtent(directory, "long"));
      expectThrows(IOException.class, () -> writeInPieces(directory, "no room", bytes));
      directory.deleteFile("no room");
      directory.deleteFile("long");
      directory.syncMetaData();
      assertAllFree(directory);
    }
  }

  /** What is too little for another pool file of the usual length is used all the same. */
  public void testAllOfGreatestBytesIsUsed() throws IOException {
    long limit = 2 * POOL_BYTES + POOL_BYTES / 2;
    try (PmemDirectory directory = pools(createTempDir()).maxBytes(limit).build()) {
      fill(directory, new TreeMap<>(), 50_000);
      PmemUsage usage = directory.usage();
      assertEquals(3, usage.poolFiles());
      assertTrue(usage.toString(), usage.totalBytes() > 2 * POOL_BYTES);
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

  public void testGreatestBytes() throws IOException {
    Path folder = createTempDir();
    long limit = 3 * POOL_BYTES;
    int fileBytes = 200_000;
    Map<String, byte[]> files = new TreeMap<>();
    try (PmemDirectory directory = pools(folder).maxBytes(limit).build()) {
      for (int round = 0; round < 3; round++) {
        String refused = fill(directory, files, fileBytes);
        SmallPools.assertFiles(files, directory);
        directory.sync(files.keySet());
        if (random().nextBoolean()) {
          // Lucene deletes what it could not write.
          directory.deleteFile(refused);
        }
        for (String name : List.copyOf(files.keySet())) {
          if (random().nextInt(3) > 0) {
            directory.deleteFile(name);
            files.remove(name);
          }
        }
        if (random().nextBoolean()) {
          // Else writing finds out that it is free.
          directory.syncMetaData();
        }
      }
      assertTrue(directory.usage().totalBytes() <= limit);
      byte[] bytes = randomBytes(fileBytes);
      SmallPools.writeDurably(directory, "last", bytes);
      files.put("last", bytes);
      SmallPools.assertFiles(files, directory);
      directory.syncMetaData();
    }
    try (PmemDirectory directory = pools(folder).maxBytes(limit).build()) {
      files.keySet().retainAll(List.of(directory.listAll()));
      SmallPools.assertFiles(files, directory);
      assertTrue(files.containsKey("last"));
    }
  }

  /** Whoever needs room makes deletions durable that nothing else did. */
  public void testRoomOfDeletedFilesIsFound() throws IOException {
    try (PmemDirectory directory = pools(createTempDir()).maxBytes(3 * POOL_BYTES).build()) {
      Map<String, byte[]> files = new TreeMap<>();
      fill(directory, files, 200_000);
      directory.sync(files.keySet());
      for (String name : files.keySet()) {
        directory.deleteFile(name);
      }
      Map<String, byte[]> others = Map.of("other", randomBytes(600_000));
      for (Map.Entry<String, byte[]> other : others.entrySet()) {
        writeInPieces(directory, other.getKey(), other.getValue());
      }
      SmallPools.assertFiles(others, directory);
    }
  }

  /** Writes files until there is no room; returns the name of the one that had none. */
  private static String fill(PmemDirectory directory, Map<String, byte[]> files, int fileBytes)
      throws IOException {
    while (true) {
      String name = "_" + Long.toUnsignedString(random().nextLong(), Character.MAX_RADIX) + ".dat";
      byte[] bytes = randomBytes(fileBytes);
      try {
        writeInPieces(directory, name, bytes);
      } catch (IOException e) {
        String message = String.valueOf(e.getMessage());
        assertTrue(
            message,
            message.matches(
                "the pools are full: file="
                    + name
                    + ", askedBytes=\\d+, freeBytes=\\d+, longestFreeBytes=\\d+, maxBytes=\\d+: .*;"
                    + " delete files or raise the limit"));
        assertFalse(List.of(directory.listAll()).contains(name));
        assertTrue("some had room", files.size() > 3);
        return name;
      }
      files.put(name, bytes);
    }
  }

  /** Whatever came and went, and in whatever order: at the end all is free. */
  public void testSpaceIsAccountedFor() throws IOException {
    Path folder = createTempDir();
    for (int round = 0; round < 3; round++) {
      try (PmemDirectory directory = pools(folder).build()) {
        assertAllFree(directory);
        Map<String, byte[]> files = new TreeMap<>();
        List<IndexInput> inputs = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
          step(directory, files, inputs, "_" + i + ".dat");
        }
        SmallPools.assertFiles(files, directory);
        assertNotEquals(directory.usage().totalBytes(), directory.usage().freeBytes());
        for (IndexInput in : inputs) {
          in.close();
        }
        for (String name : files.keySet()) {
          directory.deleteFile(name);
        }
        directory.syncMetaData();
        assertAllFree(directory);
      }
    }
  }

  private static void step(
      PmemDirectory directory, Map<String, byte[]> files, List<IndexInput> inputs, String name)
      throws IOException {
    String some =
        files.isEmpty() ? null : List.copyOf(files.keySet()).get(random().nextInt(files.size()));
    int kind = random().nextInt(8);
    if (some == null || kind < 3) {
      byte[] bytes = randomBytes(random().nextInt(1 << random().nextInt(1, 20)));
      writeInPieces(directory, name, bytes);
      files.put(name, bytes);
    } else if (kind == 3) {
      directory.deleteFile(some);
      files.remove(some);
    } else if (kind == 4) {
      directory.rename(some, name);
      files.put(name, files.remove(some));
    } else if (kind == 5) {
      directory.sync(List.of(some));
    } else if (kind == 6) {
      inputs.add(directory.openInput(some, IOContext.DEFAULT));
    } else if (!inputs.isEmpty()) {
      inputs.remove(random().nextInt(inputs.size())).close();
    }
  }

  /** What readers had becomes free in the background. */
  private static void assertAllFree(PmemDirectory directory) {
    await(() -> directory.usage().freeBytes() == directory.usage().totalBytes());
  }

  /** An input keeps the bytes of a deleted file from being written over. */
  public void testReaderKeepsItsBytes() throws IOException {
    try (PmemDirectory directory = pools(createTempDir()).maxBytes(2 * POOL_BYTES).build()) {
      byte[] bytes = randomBytes(300_000);
      SmallPools.writeDurably(directory, "read", bytes);
      try (IndexInput in = directory.openInput("read", IOContext.DEFAULT)) {
        directory.deleteFile("read");
        directory.syncMetaData();
        Map<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < 30; i++) {
          byte[] other = randomBytes(1 + random().nextInt(300_000));
          SmallPools.writeDurably(directory, "other" + i, other);
          files.put("other" + i, other);
          if (i > 1) {
            directory.deleteFile("other" + (i - 2));
            files.remove("other" + (i - 2));
          }
        }
        SmallPools.assertFiles(files, directory);
        assertArrayEquals(bytes, remaining(in));
      }
    }
  }

  /** A third of what there may be is in use: every file finds room, and in one extent. */
  public void testFragmentationStaysBounded() throws IOException {
    Path folder = createTempDir();
    long greatestUse = 3 * POOL_BYTES;
    Map<String, Integer> files = new TreeMap<>();
    try (PmemDirectory directory = pools(folder).maxBytes(3 * greatestUse).build()) {
      long used = 0;
      for (int i = 0; i < 4_000 * RANDOM_MULTIPLIER; i++) {
        int length = random().nextInt(1 << random().nextInt(1, 18));
        while (used + length > greatestUse || (!files.isEmpty() && random().nextInt(3) == 0)) {
          String some = List.copyOf(files.keySet()).get(random().nextInt(files.size()));
          directory.deleteFile(some);
          used -= Objects.requireNonNull(files.remove(some));
        }
        String name = "_" + i;
        try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
          out.writeBytes(new byte[length], length);
        }
        files.put(name, length);
        used += length;
        if (i % 20 == 0) {
          directory.sync(files.keySet());
        }
      }
      for (String name : files.keySet()) {
        assertTrue(name, isInOneExtent(directory, name));
      }
    }
  }

  /** Without a limit nobody may be told that the pools are full because others are faster. */
  public void testWritersThatGrowPoolsTogether() throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(4, new NamedThreadFactory("pool-writer"));
    try (PmemDirectory directory = pools(createTempDir()).build()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int id = thread;
        int length = (int) (thread % 2 == 0 ? POOL_BYTES + 5_000 : 150_000);
        Callable<?> writer =
            () -> {
              byte[] bytes = new byte[length];
              for (int i = 0; i < 10; i++) {
                write(directory, "_" + id + "_" + i, bytes);
              }
              return null;
            };
        writers.add(threads.submit(writer));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdown();
      assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
    }
  }
}
