package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import io.github.lucenedirectories.metrics.IoStatistics.Kind;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What a scope counts, and for whom. */
public class IoScopeTest extends LibraryTestCase {

  private static final int BLOCK_BYTES = 4_096;
  private static final int BYTES = 1 << 20;

  private static Kind kind(IoScope scope, String name) {
    return Objects.requireNonNull(scope.statistics().kinds().get(name));
  }

  private static void readAt(IndexInput in, long pos) throws IOException {
    IndexInput clone = in.clone();
    clone.seek(pos);
    clone.readByte();
  }

  /** A long read counts its bytes, a random one a block, and a second one of the block is saved. */
  public void testReadsByKind() throws IOException {
    try (Directory directory = new NioDirectory(createTempDir())) {
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
        assertEquals(count, kind(scope, "postings").reads());
        assertEquals((long) count * BYTES / 2, kind(scope, "postings").readBytes());
        assertTrue(kind(scope, "postings").readNanos() > 0);
        assertNull(scope.statistics().kinds().get("stored"));

        readAt(stored, BYTES / 2);
        Kind first = kind(scope, "stored");
        assertEquals(1, first.reads());
        assertEquals(0, first.hits());
        assertEquals(TestMode.current().nativeAccess() ? 1 : 0, first.prefetches());
        assertTrue(first.readBytes() > 0 && first.readBytes() <= 4 * BLOCK_BYTES);
        readAt(stored, BYTES / 2 + 1);
        assertEquals(1, kind(scope, "stored").reads());
        assertEquals(1, kind(scope, "stored").hits());

        postings.prefetch(BYTES / 2, 10_000);
        // None is asked for where the file was found in memory, or without native access.
        long asked = kind(scope, "postings").prefetchedBytes();
        assertTrue("asked " + asked, asked == 0 || asked == 10_000);
        assertEquals(count + 1, scope.statistics().total().reads());
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
        assertEquals(1, kind(scope, "stored").reads());
        assertEquals(List.of("stored"), List.copyOf(scope.statistics().kinds().keySet()));
      }
    }
  }

  public void testScopeWithinAnother() throws IOException {
    try (Directory directory = new NioDirectory(createTempDir())) {
      write(directory, "_0.doc", new byte[BYTES]);
      try (IoScope outer = IoScope.begin()) {
        read(directory, "_0.doc");
        IoScope inner = IoScope.begin();
        read(directory, "_0.doc");
        assertEquals(BYTES, kind(inner, "postings").readBytes());
        assertEquals(2 * BYTES, kind(outer, "postings").readBytes());
        expectThrows(IllegalStateException.class, outer::close);
        inner.close();
        inner.close();
        assertEquals(BYTES, kind(inner, "postings").readBytes());
        assertEquals(2 * BYTES, kind(outer, "postings").readBytes());
        read(directory, "_0.doc");
        assertEquals(BYTES, kind(inner, "postings").readBytes());
        assertEquals(3 * BYTES, kind(outer, "postings").readBytes());
      }
      read(directory, "_0.doc");
      try (IoScope next = IoScope.begin()) {
        assertEquals(0, next.statistics().total().reads());
      }
    }
  }

  /** Another thread's reads do not count, and it can neither ask nor close. */
  public void testOtherThreads() throws Exception {
    try (Directory directory = new NioDirectory(createTempDir());
        IoScope scope = IoScope.begin()) {
      write(directory, "_0.doc", new byte[BYTES]);
      start(
              () -> {
                read(directory, "_0.doc");
                expectThrows(IllegalStateException.class, scope::statistics);
                expectThrows(IllegalStateException.class, scope::close);
                return null;
              })
          .get();
      assertEquals(0, scope.statistics().total().reads());
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
        assertEquals(BYTES, kind(scope, "postings").readBytes());
        for (int i = 0; i < count; i++) {
          others.execute(
              () -> {
                // Within the scope a task may have one of its own.
                try (IoScope own = IoScope.begin()) {
                  reading.run();
                  assertEquals(BYTES, kind(own, "postings").readBytes());
                }
              });
          // Not within it.
          pool.execute(reading);
        }
        pool.shutdown();
        assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
        assertEquals((count + 1L) * BYTES, kind(scope, "postings").readBytes());
        scope.close();
        assertEquals((count + 1L) * BYTES, kind(scope, "postings").readBytes());
        assertEquals((count + 1L) * BYTES, kind(outer, "postings").readBytes());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** A search asks as soon as its tasks say that they are done. */
  public void testTasksThatJustEnded() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    // A task of a task, and a scope twice around it, count once.
    Executor others = IoScope.executor(IoScope.executor(pool));
    try (Directory directory = new NioDirectory(createTempDir())) {
      write(directory, "_0.doc", new byte[BYTES]);
      for (int i = 1; i < 100; i++) {
        try (IoScope scope = IoScope.begin()) {
          FutureTask<byte[]> one = new FutureTask<>(() -> read(directory, "_0.doc"));
          FutureTask<byte[]> two = new FutureTask<>(() -> read(directory, "_0.doc"));
          others.execute(one);
          others.execute(two);
          one.get();
          two.get();
          assertEquals(2L * BYTES, kind(scope, "postings").readBytes());
        }
      }
    } finally {
      pool.shutdown();
      assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
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
        assertEquals(BYTES, kind(scope, "postings").readBytes());
        for (int pos = 100; pos < BYTES; pos += 16_384) {
          readAt(in, pos + 8_192);
        }
        assertEquals(BYTES, kind(scope, "postings").readBytes());
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
        ProcessIoCounters before = ProcessIoCounters.now().orElseThrow();
        List<FutureTask<IoStatistics>> running = new ArrayList<>();
        for (String name : names) {
          running.add(start(() -> readAll(directory, name)));
        }
        long sum = 0;
        for (FutureTask<IoStatistics> each : running) {
          sum += each.get().deviceBytes();
          assertEquals(mapped, each.get().majorFaults() > 0);
        }
        long process = ProcessIoCounters.now().orElseThrow().since(before).deviceBytes();
        assertTrue(sum + " of " + process, sum >= length);
        assertTrue(sum + " of " + process, Math.abs(process - sum) <= process / 50);
      }
    }
  }

  private static IoStatistics readAll(Directory directory, String name) throws IOException {
    try (IoScope scope = IoScope.begin();
        IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] part = new byte[10_000];
      for (long left = in.length(); left > 0; left -= part.length) {
        in.readBytes(part, 0, (int) Math.min(left, part.length));
      }
      return scope.statistics();
    }
  }
}
