// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.IOConsumer;
import org.jspecify.annotations.Nullable;

/** Which files are there after a reopen, and who may open. */
public class PmemMetadataTest extends PoolTestCase {

  public void testTooManyFilesForTheLog() throws IOException {
    Path folder = createTempDir();
    Map<String, byte[]> files = new TreeMap<>();
    byte[] some = randomBytes(1 + random().nextInt(100));
    try (PmemDirectory directory = pools(folder).initialBytes(4 * POOL_BYTES).build()) {
      String name = "";
      LogFullException full = null;
      while (full == null) {
        name = "file-with-a-name-so-that-the-log-is-full-soon-" + files.size();
        try {
          writeDurably(directory, name, some);
          files.put(name, some);
        } catch (LogFullException e) {
          full = e;
        }
      }
      String refused = "x".repeat(1_000);
      expectThrows(LogFullException.class, () -> writeDurably(directory, refused, some));
      directory.deleteFile(refused);
      assertRenameFails(directory, name);
      assertRenameFails(directory, files.keySet().iterator().next());
      String message = String.valueOf(full.getMessage());
      assertTrue(message, message.contains("too many files for the metadata log: neededBytes="));
      assertTrue(message, message.contains("file=" + folder.resolve("pool-00000.pmem")));
      for (String old : List.copyOf(files.keySet()).subList(0, files.size() / 2)) {
        directory.deleteFile(old);
        files.remove(old);
      }
      directory.sync(List.of(name));
      files.put(name, some);
      directory.syncMetaData();
      assertFiles(files, directory);
      long taken = files.size() * new PoolExtent(0, some.length).pageBytes();
      assertEquals(
          metric(directory, "pmem.total.bytes"), metric(directory, "pmem.free.bytes") + taken);
    }
    assertReopened(files, pools(folder));
  }

  private static void assertRenameFails(PmemDirectory directory, String name) throws IOException {
    List<String> names = List.of(directory.listAll());
    expectThrows(LogFullException.class, () -> directory.rename(name, name + "x".repeat(1_000)));
    assertEquals(names, List.of(directory.listAll()));
  }

  /** A name that could not be read back would make all files unreadable. */
  public void testNamesThatCannotBeKept() throws IOException {
    Path folder = createTempDir();
    byte[] bytes = randomBytes(100);
    String longest = "x".repeat(LogEntry.MOST_NAME_BYTES - 1);
    try (PmemDirectory directory = pools(folder).initialBytes(1L << 26).build()) {
      writeDurably(directory, "a", bytes);
      for (String name : List.of(longest + "\u00e9", "half\ud800")) {
        expectThrows(
            IllegalArgumentException.class, () -> directory.createOutput(name, IOContext.DEFAULT));
        expectThrows(IllegalArgumentException.class, () -> directory.rename("a", name));
      }
      expectThrows(
          IllegalArgumentException.class,
          () -> directory.createTempOutput(longest, "b", IOContext.DEFAULT));
      writeDurably(directory, longest + "y", bytes);
    }
    assertReopened(Map.of("a", bytes, longest + "y", bytes), pools(folder));
  }

  /** A change that comes too late is refused, and writes nothing to what is not mapped any more. */
  public void testMetadataChangeWhileClosing() throws Exception {
    for (int round = 0; round < 30; round++) {
      PmemDirectory directory = pools(createTempDir()).build();
      writeDurably(directory, "_0", new byte[5_000]);
      CountDownLatch begun = new CountDownLatch(2);
      List<IOConsumer<Integer>> changes =
          List.of(
              i -> directory.rename("_" + i, "_" + (i + 1)),
              i -> {
                writeDurably(directory, "a" + i, new byte[20_000]);
                directory.deleteFile("a" + i);
              });
      List<FutureTask<?>> changing = new ArrayList<>();
      for (IOConsumer<Integer> change : changes) {
        changing.add(start(() -> changeUntilClosed(change, begun)));
      }
      assertTrue(begun.await(1, TimeUnit.MINUTES));
      for (int spin = random().nextInt(5_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      directory.close();
      for (FutureTask<?> each : changing) {
        each.get();
      }
    }
  }

  private static @Nullable Void changeUntilClosed(IOConsumer<Integer> change, CountDownLatch begun)
      throws IOException {
    try {
      for (int i = 0; ; i++) {
        change.accept(i);
        begun.countDown();
      }
    } catch (AlreadyClosedException expected) {
      return null;
    }
  }

  /** One directory at a time uses a folder, and one writer at a time a directory. */
  public void testLocks() throws IOException {
    Path folder = createTempDir();
    try (PmemDirectory directory = pools(folder).build();
        Directory files = new NIOFSDirectory(folder);
        Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      expectThrows(LockObtainFailedException.class, () -> pools(folder).build());
      // A pool file that is not there yet has no lock of its own.
      expectThrows(LockObtainFailedException.class, () -> files.obtainLock("pmem.lock"));
      lock.ensureValid();
      assertFalse(Files.exists(folder.resolve(IndexWriter.WRITE_LOCK_NAME)));
      expectThrows(
          LockObtainFailedException.class, () -> directory.obtainLock(IndexWriter.WRITE_LOCK_NAME));
    }
  }
}
