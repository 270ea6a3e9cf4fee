// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.internal.file.RecentBlocks;
import io.github.lucenedirectories.internal.os.ProcFs;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What a scope counts, and for whom. */
public class IoScopeTest extends LibraryTestCase {

  private static final int BYTES = 1 << 20;

  private static long metric(IoScope scope, String name) {
    return scope.metrics().getOrDefault(name, 0.0).longValue();
  }

  private static double ofProcess() {
    return metric(DirectoryMetrics.ofProcess(), "read.bytes.postings");
  }

  private static void readAt(IndexInput in, long pos) throws IOException {
    IndexInput clone = in.clone();
    clone.seek(pos);
    clone.readByte();
  }

  /** A long read counts its bytes, a random one a block, and a second one of the block is saved. */
  public void testReadsByKind() throws IOException {
    int blockBytes = RecentBlocks.DEFAULT_BLOCK_BYTES << random().nextInt(1, 6);
    try (Directory directory =
        NioDirectory.builder(createTempDir()).blockBytes(blockBytes).build()) {
      write(directory, "_0.doc", new byte[BYTES]);
      write(directory, "_0.fdt", new byte[BYTES]);
      try (IndexInput postings = directory.openInput("_0.doc", IOContext.DEFAULT);
          IndexInput stored = directory.openInput("_0.fdt", IOContext.DEFAULT);
          IoScope scope = IoScope.begin()) {
        int count = random().nextInt(1, 20);
        for (int i = 0; i < count; i++) {
          postings.seek(0);
          postings.readBytes(new byte[BYTES / 2], 0, BYTES / 2);
        }
        assertEquals(count, metric(scope, "reads.postings"));
        assertEquals((long) count * BYTES / 2, metric(scope, "read.bytes.postings"));
        assertTrue(scope.metrics().getOrDefault("read.seconds.postings", 0.0) > 0);
        assertNull(scope.metrics().get("reads.stored"));

        readAt(stored, BYTES / 2);
        assertEquals(1, metric(scope, "reads.stored"));
        assertEquals(0, metric(scope, "read.hits.stored"));
        assertEquals("more than was read", 0, metric(scope, "prefetches.stored"));
        assertEquals(blockBytes, metric(scope, "read.bytes.stored"));
        readAt(stored, BYTES / 2 + 1);
        assertEquals(1, metric(scope, "reads.stored"));
        assertEquals(1, metric(scope, "read.hits.stored"));

        postings.prefetch(BYTES / 2, 10_000);
        // None is asked for where the file was found in memory, or without native access.
        long asked = metric(scope, "prefetch.bytes.postings");
        assertTrue("asked " + asked, asked == 0 || asked == 10_000);
        assertEquals(count + 1, metric(scope, "reads"));
      }
    }
  }

  /** A part of a compound file counts as its own kind. */
  public void testPartsOfCompoundFiles() throws IOException {
    try (Directory directory = new NioDirectory(createTempDir())) {
      write(directory, "_0.cfs", new byte[BYTES]);
      try (IndexInput in = directory.openInput("_0.cfs", IOContext.DEFAULT);
          IoScope scope = IoScope.begin()) {
        in.slice("_0.fdt", 0, BYTES, IOContext.DEFAULT).readByte();
        assertEquals(1, metric(scope, "reads.stored"));
        assertEquals(1, metric(scope, "reads"));
      }
    }
  }

  public void testScopeWithinAnother() throws IOException {
    try (Directory directory = new NioDirectory(createTempDir())) {
      write(directory, "_0.doc", new byte[BYTES]);
      double before = ofProcess();
      try (IoScope outer = IoScope.begin()) {
        read(directory, "_0.doc");
        IoScope inner = IoScope.begin();
        read(directory, "_0.doc");
        assertEquals(BYTES, metric(inner, "read.bytes.postings"));
        expectThrows(IllegalStateException.class, outer::metrics);
        expectThrows(IllegalStateException.class, outer::close);
        inner.close();
        inner.close();
        assertEquals(BYTES, metric(inner, "read.bytes.postings"));
        assertEquals(2 * BYTES, metric(outer, "read.bytes.postings"));
        read(directory, "_0.doc");
        assertEquals(BYTES, metric(inner, "read.bytes.postings"));
        assertEquals(3 * BYTES, metric(outer, "read.bytes.postings"));
      }
      assertEquals(3 * BYTES, ofProcess() - before, 0);
      read(directory, "_0.doc");
      try (IoScope next = IoScope.begin()) {
        assertEquals(0, metric(next, "reads"));
      }
    }
  }

  /** Another thread's reads do not count, and it can neither ask nor close. */
  public void testOtherThreads() throws Exception {
    try (Directory directory = new NioDirectory(createTempDir());
        IoScope scope = IoScope.begin()) {
      write(directory, "_0.doc", new byte[BYTES]);
      begin(
              () -> {
                read(directory, "_0.doc");
                expectThrows(IllegalStateException.class, scope::metrics);
                expectThrows(IllegalStateException.class, scope::close);
              })
          .get();
      assertEquals(0, metric(scope, "reads"));
    }
  }

  /** Tasks count for the scope in which they were submitted, wherever they run, and once. */
  public void testExecutor() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    Executor caller = IoScope.executor(Runnable::run);
    Executor others = IoScope.executor(pool);
    try (Directory directory = new NioDirectory(createTempDir())) {
      write(directory, "_0.doc", new byte[BYTES]);
      Runnable reading =
          () -> {
            try {
              read(directory, "_0.doc");
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          };
      int count = random().nextInt(1, 50);
      try (IoScope outer = IoScope.begin()) {
        IoScope scope = IoScope.begin();
        caller.execute(reading);
        assertEquals(BYTES, metric(scope, "read.bytes.postings"));
        for (int i = 0; i < count; i++) {
          others.execute(
              () -> {
                // Within the scope a task may have one of its own.
                try (IoScope own = IoScope.begin()) {
                  reading.run();
                  assertEquals(BYTES, metric(own, "read.bytes.postings"));
                }
              });
          // Not within it.
          pool.execute(reading);
        }
        pool.shutdown();
        assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
        assertEquals((count + 1L) * BYTES, metric(scope, "read.bytes.postings"));
        scope.close();
        assertEquals((count + 1L) * BYTES, metric(scope, "read.bytes.postings"));
        assertEquals((count + 1L) * BYTES, metric(outer, "read.bytes.postings"));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** A search asks as soon as its tasks say that they are done, before their thread goes on. */
  public void testTasksThatJustEnded() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    // A scope twice around a task counts once.
    Executor others = IoScope.executor(IoScope.executor(pool));
    // The file systems of Lucene's tests do not sync.
    Path folder = Path.of(createTempDir().toString());
    try (Directory directory = new NioDirectory(folder)) {
      write(directory, "_0.doc", new byte[BYTES]);
      directory.sync(List.of("_0.doc"));
      boolean counts = TestMode.current().nativeAccess();
      boolean evicts = counts && !Files.getFileStore(folder).type().contains("tmpfs");
      for (int i = 0; i < 20; i++) {
        if (evicts) {
          evict(folder.resolve("_0.doc"), 0, 0);
        }
        try (IoScope scope = IoScope.begin()) {
          FutureTask<byte[]> task = new FutureTask<>(() -> read(directory, "_0.doc"));
          others.execute(
              () -> {
                task.run();
                LockSupport.parkNanos(1_000_000);
              });
          task.get();
          Map<String, Double> metrics = scope.metrics();
          assertEquals(BYTES, metrics.getOrDefault("read.bytes.postings", 0.0), 0);
          assertEquals(counts, metrics.containsKey("device.read.bytes"));
          if (evicts) {
            // The system counts it for the thread, which is asked when it leaves the scope.
            double device = metrics.getOrDefault("device.read.bytes", 0.0);
            assertTrue(metrics.toString(), device >= BYTES);
          }
        }
      }
    } finally {
      pool.shutdown();
      assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
    }
  }

  /** A task that ends after its scope takes nothing from what the scope counted. */
  public void testTaskThatEndsAfterItsScope() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    ExecutorService pool = Executors.newSingleThreadExecutor();
    Path folder = Path.of(createTempDir().toString());
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Directory directory = new MappedDirectory(folder)) {
      write(directory, "_0.doc", new byte[BYTES]);
      directory.sync(List.of("_0.doc"));
      evict(folder.resolve("_0.doc"), 0, 0);
      // The pool's thread has counts from before the scope.
      pool.submit(() -> read(directory, "_0.doc")).get();
      IoScope scope = IoScope.begin();
      try (scope) {
        IoScope.executor(pool)
            .execute(
                () -> {
                  begun.countDown();
                  try {
                    goOn.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
        begun.await();
        assertEquals(0.0, scope.metrics().getOrDefault("device.read.bytes", -1.0), 0);
      }
      assertEquals(0.0, scope.metrics().getOrDefault("device.read.bytes", -1.0), 0);
      assertEquals(0.0, scope.metrics().getOrDefault("major.faults", -1.0), 0);
      goOn.countDown();
      pool.shutdown();
      assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
      assertEquals(0.0, scope.metrics().getOrDefault("device.read.bytes", -1.0), 0);
    } finally {
      goOn.countDown();
      pool.shutdownNow();
    }
  }

  /** What a block cache fetches counts once, and what it holds does not. */
  public void testBlockCache() throws IOException {
    try (BlockCache cache = BlockCache.builder().maxBytes(4 * BYTES).blockBytes(16_384).build();
        Directory directory = new BlockCacheDirectory(new NioDirectory(createTempDir()), cache)) {
      write(directory, "_0.doc", new byte[BYTES]);
      try (IoScope scope = IoScope.begin();
          IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        for (int pos = 0; pos < BYTES; pos += 16_384) {
          readAt(in, pos);
        }
        assertEquals(BYTES, metric(scope, "read.bytes.postings"));
        for (int pos = 100; pos < BYTES; pos += 16_384) {
          readAt(in, pos + 8_192);
        }
        assertEquals(BYTES, metric(scope, "read.bytes.postings"));
      }
    }
  }

  /** What the scopes of all threads read from the device is what the process read. */
  public void testDeviceBytesAddUp() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    Path folder = Path.of(createTempDir().toString());
    assumeFalse("in memory for good", Files.getFileStore(folder).type().contains("tmpfs"));
    int length = 32 << 20;
    for (boolean mapped : new boolean[] {true, false}) {
      Path sub = folder.resolve("mapped-" + mapped);
      try (Directory directory = mapped ? new MappedDirectory(sub) : new NioDirectory(sub)) {
        List<String> names = List.of("_0.fdt", "_0.doc", "_0.vec");
        for (String name : names) {
          write(directory, name, new byte[length]);
          directory.sync(List.of(name));
          evict(sub.resolve(name), 0, 0);
        }
        long before = ProcFs.deviceReadBytes().orElseThrow();
        List<FutureTask<Map<String, Double>>> running = new ArrayList<>();
        for (String name : names) {
          running.add(start(() -> readAll(directory, name)));
        }
        long sum = 0;
        for (FutureTask<Map<String, Double>> each : running) {
          sum += each.get().getOrDefault("device.read.bytes", -1.0).longValue();
          assertEquals(mapped, each.get().getOrDefault("major.faults", -1.0) > 0);
        }
        long process = ProcFs.deviceReadBytes().orElseThrow() - before;
        assertTrue(sum + " of " + process, sum >= length);
        assertTrue(sum + " of " + process, Math.abs(process - sum) <= process / 50);
      }
    }
  }

  private static Map<String, Double> readAll(Directory directory, String name) throws IOException {
    try (IoScope scope = IoScope.begin();
        IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] part = new byte[10_000];
      for (long left = in.length(); left > 0; left -= part.length) {
        in.readBytes(part, 0, (int) Math.min(left, part.length));
      }
      Map<String, Double> metrics = scope.metrics();
      try (IoScope next = IoScope.begin()) {
        assertEquals(
            "of the scope before", 0, next.metrics().getOrDefault("device.read.bytes", -1.0), 0);
      }
      return metrics;
    }
  }
}
