package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IORunnable;

/** Many threads on one {@code BlockCache}. */
@LuceneTestCase.SuppressFileSystems("*") // creates a thousand files a second and identifies threads
public class BlockCacheThreadsTest extends LibraryTestCase {

  private static final int BLOCK = 4_096;
  private static final int THREADS = 8;
  private static final int NAMES = 3;
  private static final int WORDS = 2_500;

  /** Read the second block of a file at once. */
  private final List<Thread> threads = new ArrayList<>();

  /** Reads of the directory below the cache. */
  private final AtomicInteger reads = new AtomicInteger();

  private final AtomicInteger interrupted = new AtomicInteger();

  private static BlockCache cache(int blocks) throws IOException {
    return BlockCache.builder().blockBytes(BLOCK).maxBytes((long) blocks * BLOCK).build();
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
    public IndexInput clone() {
      return new WatchedInput(in.clone(), beforeRead);
    }
  }

  /**
   * Reads one byte, 42, by all threads at once, and then again if the block is not in the cache.
   *
   * @param beforeRead runs before each read below the cache, which throws what this throws
   * @return the byte that each thread read, or what was thrown
   */
  private List<Object> readAtOnce(IORunnable beforeRead) throws Exception {
    Directory below =
        new FilterDirectory(new NioDirectory(createTempDir())) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            return new WatchedInput(in.openInput(name, context), beforeRead);
          }
        };
    List<Object> results = Collections.synchronizedList(new ArrayList<>());
    try (BlockCache cache = cache(10);
        Directory directory = new BlockCacheDirectory(below, cache)) {
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
          assertEquals(BLOCK, cache.statistics().usedBytes());
        } else {
          assertEquals(0, cache.statistics().usedBytes());
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

  /**
   * Files of one name and one length, each of one word that names it, come and go; no reader meets
   * one that was deleted before it opened its file, or a part of another.
   */
  public void testNoStaleBytes() throws Exception {
    AtomicLongArray current = new AtomicLongArray(NAMES);
    AtomicBoolean stop = new AtomicBoolean();
    List<FutureTask<Integer>> readers = new ArrayList<>();
    try (BlockCache cache = cache(random().nextBoolean() ? 6 : 100);
        Directory directory = new BlockCacheDirectory(new NioDirectory(createTempDir()), cache)) {
      for (int i = 0; i < 3; i++) {
        Random random = new Random(random().nextLong());
        readers.add(
            start(
                () -> {
                  int opened = 0;
                  for (; !stop.get(); opened++) {
                    int number = random.nextInt(NAMES);
                    check(directory, "file" + number, current.get(number), random);
                  }
                  return opened;
                }));
      }
      for (long id = 1;
          id < 1_500L * RANDOM_MULTIPLIER && readers.stream().noneMatch(FutureTask::isDone);
          id++) {
        int number = random().nextInt(NAMES);
        String name = "file" + number;
        if (current.get(number) > 0) {
          directory.deleteFile(name);
        }
        boolean renamed = random().nextBoolean();
        try (IndexOutput out =
            directory.createOutput(renamed ? "pending" : name, IOContext.DEFAULT)) {
          for (int i = 0; i < WORDS; i++) {
            out.writeLong(id);
          }
        }
        if (renamed) {
          directory.rename("pending", name);
        }
        current.set(number, id);
      }
      stop.set(true);
      int opened = 0;
      for (FutureTask<Integer> reader : readers) {
        opened += reader.get();
      }
      assertTrue("opened=" + opened, opened > 100);
    }
  }

  private static void check(Directory directory, String name, long least, Random random)
      throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      if (in.length() != (long) WORDS * Long.BYTES) {
        // Still being written: what is there is right, or nothing.
        return;
      }
      long id = in.readLong();
      assertTrue(name + ": id=" + id + ", least=" + least, id >= least);
      for (int i = 0; i < 200; i++) {
        in.seek((long) random.nextInt(WORDS) * Long.BYTES);
        assertEquals(name, id, in.readLong());
      }
    } catch (NoSuchFileException | FileNotFoundException _) {
      // Between two of that name.
    }
  }
}
