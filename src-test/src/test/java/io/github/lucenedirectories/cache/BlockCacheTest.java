// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import static java.lang.Thread.State.BLOCKED;
import static java.lang.Thread.State.TERMINATED;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IORunnable;

/**
 * What a {@code BlockCache} keeps, what it lets go and says of itself, and what it does for threads
 * that need the same block at once.
 */
@LuceneTestCase.SuppressFileSystems("WindowsFS")
public class BlockCacheTest extends LibraryTestCase {

  private static final int BLOCK = 4_096;
  private static final int THREADS = 8;

  /** Work on a file at once. */
  private final List<Thread> threads = new ArrayList<>();

  private final AtomicInteger interrupted = new AtomicInteger();

  /** Reads of the directory below the cache. */
  private final AtomicInteger reads = new AtomicInteger();

  /** For how many bytes it was asked ahead. */
  private final AtomicLong asked = new AtomicLong();

  private static BlockCache cache(int blocks) throws IOException {
    return BlockCache.builder().blockBytes(BLOCK).maxBytes((long) blocks * BLOCK).build();
  }

  private static BlockCacheDirectory open(BlockCache cache) throws IOException {
    return new BlockCacheDirectory(new NioDirectory(createTempDir()), cache);
  }

  /** Reads one byte of each block, every second one first: nothing is read ahead. */
  private static void touch(IndexInput in, int from, int to) throws IOException {
    RandomAccessInput access = in.randomAccessSlice(0, in.length());
    for (int first = from; first < from + 2; first++) {
      for (int block = first; block < to; block += 2) {
        access.readByte((long) block * BLOCK);
      }
    }
  }

  private static long used(BlockCache cache) {
    return metric(cache, "cache.used.bytes");
  }

  private static long hits(BlockCache cache) {
    return metric(cache, "cache.hits");
  }

  public void testStatistics() throws IOException {
    try (BlockCache cache = cache(8);
        Directory directory = open(cache)) {
      write(directory, "_0.dat", new byte[6 * BLOCK]);
      write(directory, "_0_Lucene90_0.tim", new byte[4 * BLOCK - 100]);
      write(directory, "plain", new byte[10]);
      assertEquals(0, used(cache));
      for (int i = 0; i < 2; i++) {
        try (IndexInput dat = directory.openInput("_0.dat", IOContext.DEFAULT)) {
          touch(dat, 0, 6);
        }
      }
      try (IndexInput tim = directory.openInput("_0_Lucene90_0.tim", IOContext.DEFAULT);
          IndexInput plain = directory.openInput("plain", IOContext.DEFAULT)) {
        plain.readByte();
        assertEquals(7 * BLOCK, used(cache));
        touch(tim, 0, 4);
      }
      assertEquals(8 * BLOCK, metric(cache, "cache.max.bytes"));
      assertEquals(8 * BLOCK, used(cache));
      assertEquals(6, metric(cache, "cache.hits.dat"));
      assertEquals(6, metric(cache, "cache.misses.dat"));
      assertEquals(4, metric(cache, "cache.misses.tim"));
      assertEquals(1, metric(cache, "cache.misses.other"));
      assertEquals(6 * BLOCK, metric(cache, "cache.fetched.bytes.dat"));
      assertEquals(10 * BLOCK - 100 + 10, metric(cache, "cache.fetched.bytes"));
      assertEquals(3, metric(cache, "cache.evictions"));
    }
  }

  public void testBlocksOfDeletedFilesAreFree() throws IOException {
    try (BlockCache cache = cache(2_000);
        Directory directory = open(cache)) {
      write(directory, "file", new byte[1_500 * BLOCK]);
      write(directory, "other", new byte[2 * BLOCK]);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT);
          IndexInput other = directory.openInput("other", IOContext.DEFAULT)) {
        touch(in, 0, 1_500);
        touch(other, 0, 2);
        directory.deleteFile("file");
        assertEquals("still read", 1_502 * BLOCK, used(cache));
        touch(in, 0, 1_500);
      }
      assertEquals(2 * BLOCK, used(cache));
      assertEquals(1_500, hits(cache));
      directory.rename("other", "renamed");
      assertEquals(0, used(cache));
      assertEquals("nothing gave way", 0, metric(cache, "cache.evictions"));
    }
  }

  public void testDirectoryLeavesNothingInASharedCache() throws IOException {
    try (BlockCache cache = cache(8)) {
      for (int i = 0; i < 3; i++) {
        IndexInput in;
        try (Directory directory = open(cache)) {
          write(directory, "file", new byte[4 * BLOCK]);
          assertEquals(4 * BLOCK, read(directory, "file").length);
          in = directory.openInput("file", IOContext.DEFAULT);
          in.readByte();
        }
        in.close();
        assertEquals(0, used(cache));
      }
    }
  }

  /** Directories on one full cache share its memory. */
  public void testSharedCache() throws IOException {
    try (BlockCache cache = cache(32);
        Directory first = open(cache);
        Directory second = open(cache)) {
      for (Directory directory : List.of(first, second)) {
        write(directory, "file", new byte[40 * BLOCK]);
        try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
          touch(in, 0, 40);
          assertEquals(32 * BLOCK, used(cache));
          long before = hits(cache);
          touch(in, 39, 40);
          assertEquals("the last block is cached", before + 1, hits(cache));
        }
      }
    }
  }

  /** A change that fails changes nothing: what was read of a file serves those who open it next. */
  public void testFailedChanges() throws IOException {
    try (BlockCache cache = cache(32);
        Directory directory = open(cache)) {
      write(directory, "file", new byte[8 * BLOCK]);
      List<ThrowingRunnable> changes =
          List.of(
              () -> directory.createOutput("file", IOContext.DEFAULT).close(),
              () -> directory.copyFrom(directory, "other", "file", IOContext.DEFAULT),
              () -> directory.rename("other", "file"),
              () -> directory.rename("other", "third"),
              () -> directory.deleteFile("other"));
      for (ThrowingRunnable change : changes) {
        expectThrows(IOException.class, change);
        assertEquals(List.of("file"), names(directory));
        assertKeepsBlocks(cache, directory, "file");
      }
      for (String name : List.of("other", "third")) {
        write(directory, name, new byte[8 * BLOCK]);
        assertKeepsBlocks(cache, directory, name);
      }
    }
  }

  /** A file that is replaced while another thread opens it. */
  public void testRenameDuringAnOpen() throws Exception {
    byte[] old = randomBytes(8 * BLOCK);
    byte[] replacement = randomBytes(8 * BLOCK);
    CountDownLatch opened = new CountDownLatch(1);
    Directory files =
        new FilterDirectory(new NioDirectory(createTempDir())) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            IndexInput input = in.openInput(name, context);
            opened.countDown();
            await(() -> EnumSet.of(BLOCKED, TERMINATED).contains(threads.getFirst().getState()));
            return input;
          }
        };
    try (BlockCache cache = cache(32);
        Directory directory = new BlockCacheDirectory(files, cache)) {
      write(directory, "file", old);
      write(directory, "other", replacement);
      FutureTask<Void> rename =
          new FutureTask<>(
              () -> {
                opened.await();
                directory.rename("other", "file");
                return null;
              });
      threads.add(new Thread(rename, "renaming"));
      threads.getFirst().start();
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        threads.getFirst().join();
        rename.get();
        assertArrayEquals(old, remaining(in));
        assertArrayEquals(replacement, read(directory, "file"));
      }
    }
  }

  /** A file that is opened while it is written may have become longer. */
  public void testFileThatGrows() throws IOException {
    byte[] bytes = randomBytes(3 * BLOCK);
    Path folder = createTempDir();
    try (BlockCache cache = cache(32);
        Directory directory = new BlockCacheDirectory(new NioDirectory(folder), cache)) {
      for (int length : new int[] {BLOCK / 2, 2 * BLOCK + 1, bytes.length}) {
        Files.write(folder.resolve("file"), Arrays.copyOf(bytes, length));
        assertArrayEquals(Arrays.copyOf(bytes, length), read(directory, "file"));
      }
      assertKeepsBlocks(cache, directory, "file");
      assertEquals(bytes.length, used(cache));
    }
  }

  /** Fails unless a file that was read and closed is in the cache. */
  private static void assertKeepsBlocks(BlockCache cache, Directory directory, String name)
      throws IOException {
    read(directory, name);
    long misses = metric(cache, "cache.misses");
    read(directory, name);
    assertEquals(name, misses, metric(cache, "cache.misses"));
  }

  public void testScansLeaveHotBlocksIn() throws IOException {
    int hot = 40;
    for (int scan = 0; scan < 4; scan++) {
      try (BlockCache cache = cache(100);
          Directory directory = open(cache)) {
        write(directory, "hot.dat", new byte[(hot + 10) * BLOCK]);
        try (IndexOutput out = directory.createOutput("large.dat", IOContext.DEFAULT)) {
          CodecUtil.writeHeader(out, "test", 1);
          out.writeBytes(new byte[1_000 * BLOCK], 1_000 * BLOCK);
          CodecUtil.writeFooter(out);
        }
        try (IndexInput in = directory.openInput("hot.dat", IOContext.DEFAULT)) {
          touch(in, 0, hot);
          // Uses at once count as one.
          touch(in, hot, hot + 10);
          touch(in, 0, hot);
          scan(directory, scan);
          long before = hits(cache);
          touch(in, 0, hot);
          assertEquals("scan=" + scan, hot, hits(cache) - before);
        }
      }
    }
  }

  private static void scan(Directory directory, int way) throws IOException {
    IOContext context =
        way == 0 ? IOContext.merge(new MergeInfo(10, 1 << 22, false, 1)) : IOContext.DEFAULT;
    try (IndexInput in = directory.openInput("large.dat", context)) {
      switch (way) {
        case 0 -> in.skipBytes(in.length());
        case 1 -> CodecUtil.checksumEntireFile(in);
        case 2 -> touch(in, 0, 1_000);
        default -> {
          byte[] part = new byte[300];
          for (long left = in.length(); left > 0; left -= part.length) {
            in.readBytes(part, 0, (int) Math.min(part.length, left));
          }
        }
      }
    }
  }

  /** What is read once is not kept, nor is the scan of a merge, except for its beginning. */
  public void testReadersOfWholeFilesAreNotKept() throws IOException {
    byte[] bytes = randomBytes(300 * BLOCK);
    try (BlockCache cache = cache(400);
        Directory directory = open(cache)) {
      write(directory, "file", bytes);
      try (IndexInput in = directory.openInput("file", IOContext.READONCE)) {
        assertArrayEquals(bytes, remaining(in));
      }
      assertEquals(0, used(cache));
      IOContext merge = IOContext.merge(new MergeInfo(10, 10, false, 1));
      int atOnce = random().nextBoolean() ? bytes.length : random().nextInt(1, 3 * BLOCK);
      for (int view = 0; view < 3; view++) {
        long passedBefore = metric(cache, "cache.passed.bytes");
        try (IndexInput in = directory.openInput("file", merge)) {
          IndexInput reader =
              view == 0 ? in : view == 1 ? in.clone() : in.slice("all", 0, in.length());
          byte[] read = new byte[bytes.length];
          for (int at = 0; at < read.length; at += atOnce) {
            reader.readBytes(read, at, Math.min(atOnce, read.length - at));
          }
          assertArrayEquals(bytes, read);
        }
        long kept = used(cache);
        assertTrue("kept=" + kept + ", atOnce=" + atOnce, kept <= 80 * BLOCK);
        long passed = metric(cache, "cache.passed.bytes") - passedBefore;
        assertTrue("view=" + view, passed >= bytes.length - 80 * BLOCK);
        directory.deleteFile("file");
        write(directory, "file", bytes);
      }
    }
  }

  /** Whole blocks are prefetched from the other directory, unless the cache has them. */
  public void testPrefetch() throws Exception {
    try (BlockCache cache = cache(64);
        Directory directory = new BlockCacheDirectory(watched(() -> {}), cache)) {
      write(directory, "file", new byte[60 * BLOCK]);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        IndexInput slice = in.slice("slice", 3 * BLOCK + 1, 9 * BLOCK);
        slice.prefetch(0, slice.length());
        assertEquals(10 * BLOCK, asked.getAndSet(0));
        slice.readBytes(new byte[9 * BLOCK], 0, 9 * BLOCK);
        slice.clone().prefetch(0, slice.length());
        assertEquals(0, asked.get());
      }
    }
  }

  /** What a scan needs next is asked of the other directory, unless the cache has it. */
  public void testReadAhead() throws IOException {
    byte[] bytes = randomBytes(60 * BLOCK);
    IOContext merge = IOContext.merge(new MergeInfo(1, bytes.length, false, 1));
    try (BlockCache cache = cache(100);
        Directory directory = new BlockCacheDirectory(watched(() -> {}), cache)) {
      for (IOContext context : List.of(merge, IOContext.DEFAULT)) {
        // Of a short scan a merge leaves its blocks in the cache, too.
        write(directory, "file", bytes);
        assertScanned(bytes, directory, context);
        assertTrue("" + asked, asked.getAndSet(0) > bytes.length / 4);
        assertScanned(bytes, directory, IOContext.DEFAULT);
        assertEquals(0, asked.get());
        directory.deleteFile("file");
      }
    }
  }

  /** Reads the file "file" byte by byte. */
  private static void assertScanned(byte[] expected, Directory directory, IOContext context)
      throws IOException {
    try (IndexInput in = directory.openInput("file", context)) {
      for (byte each : expected) {
        assertEquals(each, in.readByte());
      }
    }
  }

  /** Prefetches under way end with the cache, and reads go past it. */
  public void testCacheClosedBeforeItsDirectories() throws IOException {
    byte[] bytes = randomBytes(200 * BLOCK);
    for (int i = 0; i < 20; i++) {
      BlockCache cache = cache(100);
      try (Directory directory = open(cache)) {
        write(directory, "file", bytes);
        try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
          in.prefetch(0, bytes.length);
          byte[] half = new byte[100 * BLOCK];
          in.readBytes(half, 0, half.length);
          cache.close();
          cache.close();
          in.seek(0);
          assertArrayEquals(bytes, remaining(in));
          in.prefetch(0, bytes.length);
        }
        assertEquals(0, used(cache));
        expectThrows(AlreadyClosedException.class, () -> open(cache));
      }
    }
  }

  private final class WatchedInput extends FilterIndexInput {
    private final IORunnable beforeRead;

    WatchedInput(IndexInput input, IORunnable beforeRead) {
      super("watched", input);
      this.beforeRead = beforeRead;
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      reads.incrementAndGet();
      beforeRead.run();
      in.readBytes(bytes, offset, length);
    }

    @Override
    public void prefetch(long offset, long length) throws IOException {
      asked.addAndGet(length);
      in.prefetch(offset, length);
    }

    @Override
    public IndexInput clone() {
      return new WatchedInput(in.clone(), beforeRead);
    }
  }

  /**
   * Files below a cache.
   *
   * @param beforeRead runs before each read, which throws what this throws
   */
  private Directory watched(IORunnable beforeRead) throws IOException {
    return new FilterDirectory(new NioDirectory(createTempDir())) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        return new WatchedInput(in.openInput(name, context), beforeRead);
      }
    };
  }

  /**
   * Reads one byte, 42, by all threads at once, and then again if the block is not in the cache.
   *
   * @param beforeRead as of {@link #watched}
   * @return the byte that each thread read, or what was thrown
   */
  private List<Object> readAtOnce(IORunnable beforeRead) throws Exception {
    List<Object> results = Collections.synchronizedList(new ArrayList<>());
    try (BlockCache cache = cache(10);
        Directory directory = new BlockCacheDirectory(watched(beforeRead), cache)) {
      byte[] bytes = new byte[3 * BLOCK];
      bytes[BLOCK + 10] = 42;
      write(directory, "file", bytes);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        in.seek(BLOCK + 10);
        for (int i = 0; i < THREADS; i++) {
          IndexInput clone = in.clone();
          threads.add(new Thread(() -> results.add(result(clone)), "cache-reader-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
          thread.join();
        }
        if (results.contains((byte) 42)) {
          assertEquals(BLOCK, used(cache));
        } else {
          assertEquals(0, used(cache));
          threads.clear();
          assertEquals(42, in.readByte());
        }
      }
    }
    return results;
  }

  private Object result(IndexInput in) {
    try {
      return in.readByte();
    } catch (Throwable e) {
      return e;
    } finally {
      interrupted.addAndGet(Thread.interrupted() ? 1 : 0);
    }
  }

  /** Waits until all threads but one, which is the caller of this, wait for that one. */
  private void awaitTheOthers() {
    await(
        () ->
            threads.stream().filter(t -> t.getState() == Thread.State.WAITING).count()
                >= threads.size() - 1);
  }

  public void testOneFetchForAll() throws Exception {
    List<Object> results = readAtOnce(this::awaitTheOthers);
    assertEquals(Collections.nCopies(THREADS, (byte) 42), results);
    assertEquals(1, reads.get());
  }

  public void testFailureReachesAllAndIsNotKept() throws Exception {
    List<Object> results =
        readAtOnce(
            () -> {
              awaitTheOthers();
              if (reads.get() == 1) {
                throw new IOException("planted");
              }
            });
    assertEquals(THREADS, results.size());
    for (Object result : results) {
      assertTrue(result.toString(), result instanceof IOException);
      assertTrue(result.toString(), result.toString().contains("planted"));
    }
    assertEquals(2, reads.get());
  }

  public void testInterruptsOfThoseWhoWait() throws Exception {
    List<Object> results =
        readAtOnce(
            () -> {
              awaitTheOthers();
              threads.stream()
                  .filter(thread -> thread != Thread.currentThread())
                  .forEach(Thread::interrupt);
              awaitTheOthers();
            });
    assertEquals(Collections.nCopies(THREADS, (byte) 42), results);
    assertEquals(THREADS - 1, interrupted.get());
    assertEquals(1, reads.get());
  }

  /** Threads that fetch different blocks put the bytes of each into the cache. */
  public void testFetchesOfDifferentBlocks() throws Exception {
    byte[] bytes = randomBytes(100 * BLOCK);
    try (BlockCache cache = cache(50);
        Directory directory = open(cache)) {
      write(directory, "file", bytes);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        List<FutureTask<Void>> readers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          InputView view = InputView.of(in.clone(), bytes, 0).getFirst();
          Random random = new Random(random().nextLong());
          readers.add(
              begin(
                  () -> {
                    for (int j = 0; j < 10_000; j++) {
                      view.read(random);
                    }
                  }));
        }
        for (FutureTask<Void> reader : readers) {
          reader.get();
        }
      }
    }
  }

  /** A thread that waits for a fetch whose input is closed meanwhile reads for itself. */
  public void testFetchThatEndsWithItsInput() throws Exception {
    List<Object> results =
        readAtOnce(
            () -> {
              if (reads.get() == 1) {
                awaitTheOthers();
                throw new AlreadyClosedException("planted");
              }
            });
    assertEquals(results.toString(), THREADS - 1, Collections.frequency(results, (byte) 42));
    assertEquals(2, reads.get());
  }
}
