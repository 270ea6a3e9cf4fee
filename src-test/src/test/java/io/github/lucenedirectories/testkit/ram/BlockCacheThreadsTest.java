package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
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
@LuceneTestCase.SuppressFileSystems(
    "*") // a thousand files a second, and threads that are told apart
public class BlockCacheThreadsTest extends LibraryTestCase {

  private static final int BLOCK = 4_096;
  private static final int THREADS = 8;

  /** Read the second block of a file at once. */
  private final List<Thread> threads = new ArrayList<>();

  /** Reads of the directory below the cache. */
  private final AtomicInteger reads = new AtomicInteger();

  private final AtomicInteger interrupted = new AtomicInteger();

  /** Runs before each read below the cache, which throws what this throws. */
  private volatile IORunnable beforeRead = () -> {};

  private static BlockCache cache(int blocks) throws IOException {
    return BlockCache.builder().blockBytes(BLOCK).maxBytes((long) blocks * BLOCK).build();
  }

  private interface Scenario {
    void run(BlockCache cache, IndexInput in) throws Exception;
  }

  private void run(Scenario scenario) throws Exception {
    byte[] bytes = new byte[3 * BLOCK];
    bytes[BLOCK + 10] = 42;
    Directory below =
        new FilterDirectory(new NioDirectory(createTempDir())) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            return new WatchedInput(in.openInput(name, context));
          }
        };
    try (BlockCache cache = cache(10);
        Directory directory = new BlockCacheDirectory(below, cache)) {
      write(directory, "file", bytes);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        scenario.run(cache, in);
      }
    }
  }

  private final class WatchedInput extends FilterIndexInput {
    WatchedInput(IndexInput input) {
      super("watched", input);
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      reads.incrementAndGet();
      beforeRead.run();
      in.readBytes(bytes, offset, length);
    }

    @Override
    public IndexInput clone() {
      return new WatchedInput(in.clone());
    }
  }

  /** Returns the byte that each thread read, or what was thrown. */
  private List<Object> readAtOnce(IndexInput in) throws InterruptedException {
    List<Object> results = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < THREADS; i++) {
      IndexInput clone = in.clone();
      threads.add(
          new Thread(
              () -> {
                try {
                  clone.seek(BLOCK + 10);
                  results.add(clone.readByte());
                } catch (Throwable e) {
                  results.add(e);
                }
                if (Thread.interrupted()) {
                  interrupted.incrementAndGet();
                }
              },
              "cache-reader-" + i));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return List.copyOf(results);
  }

  /** Waits until all threads but one, which is the caller of this, wait for that one. */
  private void awaitTheOthers() {
    await(
        () ->
            threads.stream().filter(t -> t.getState() == Thread.State.WAITING).count()
                == THREADS - 1);
  }

  public void testOneFetchForAll() throws Exception {
    run(
        (cache, in) -> {
          beforeRead = this::awaitTheOthers;
          assertEquals(Collections.nCopies(THREADS, (byte) 42), readAtOnce(in));
          assertEquals(1, reads.get());
          assertEquals(BLOCK, cache.statistics().usedBytes());
        });
  }

  public void testFailureReachesAllAndIsNotKept() throws Exception {
    run(
        (cache, in) -> {
          beforeRead =
              () -> {
                awaitTheOthers();
                throw new IOException("planted");
              };
          List<Object> results = readAtOnce(in);
          assertEquals(THREADS, results.size());
          for (Object result : results) {
            assertTrue(result.toString(), result instanceof IOException);
            assertTrue(result.toString(), result.toString().contains("planted"));
          }
          assertEquals(1, reads.get());
          assertEquals(0, cache.statistics().usedBytes());
          beforeRead = () -> {};
          in.seek(BLOCK + 10);
          assertEquals(42, in.readByte());
          assertEquals(2, reads.get());
        });
  }

  public void testInterruptsOfThoseWhoWait() throws Exception {
    run(
        (_, in) -> {
          beforeRead =
              () -> {
                awaitTheOthers();
                for (Thread thread : threads) {
                  if (thread != Thread.currentThread()) {
                    thread.interrupt();
                  }
                }
                awaitTheOthers();
              };
          assertEquals(Collections.nCopies(THREADS, (byte) 42), readAtOnce(in));
          assertEquals(THREADS - 1, interrupted.get());
          assertEquals(1, reads.get());
        });
  }

  /** A thread that waits for a fetch whose input is closed meanwhile reads for itself. */
  public void testFetchThatEndsWithItsInput() throws Exception {
    run(
        (_, in) -> {
          beforeRead =
              () -> {
                if (reads.get() == 1) {
                  awaitTheOthers();
                  throw new AlreadyClosedException("planted");
                }
              };
          List<Object> results = readAtOnce(in);
          assertEquals(results.toString(), THREADS - 1, Collections.frequency(results, (byte) 42));
          assertEquals(2, reads.get());
        });
  }

  /**
   * Files of one name and one length, each of one word that names it, come and go; no reader meets
   * one that was deleted before it opened its file, or a part of another.
   */
  public void testNoStaleBytes() throws Exception {
    int names = 3;
    int words = 2_500;
    AtomicLongArray current = new AtomicLongArray(names);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicInteger opened = new AtomicInteger();
    try (BlockCache cache = cache(random().nextBoolean() ? 6 : 100);
        Directory directory = new BlockCacheDirectory(new NioDirectory(createTempDir()), cache)) {
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Random random = new Random(random().nextLong());
        Thread reader =
            new Thread(
                () -> {
                  try {
                    while (!stop.get()) {
                      int name = random.nextInt(names);
                      long least = current.get(name);
                      check(directory, "file" + name, words, least, random);
                      opened.incrementAndGet();
                    }
                  } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                  }
                },
                "stale-reader-" + i);
        readers.add(reader);
        reader.start();
      }
      for (long id = 1; id < 1_500L * RANDOM_MULTIPLIER && failure.get() == null; id++) {
        int number = random().nextInt(names);
        String name = "file" + number;
        if (current.get(number) > 0) {
          directory.deleteFile(name);
        }
        if (random().nextBoolean()) {
          write(directory, name, id, words);
        } else {
          write(directory, "pending", id, words);
          directory.rename("pending", name);
        }
        current.set(number, id);
      }
      stop.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    assertTrue("opened=" + opened, opened.get() > 100);
  }

  private static void write(Directory directory, String name, long id, int words)
      throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < words; i++) {
        out.writeLong(id);
      }
    }
  }

  private static void check(Directory directory, String name, int words, long least, Random random)
      throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      if (in.length() != (long) words * Long.BYTES) {
        // Still being written: what is there is right, or nothing.
        return;
      }
      long id = in.readLong();
      if (id < least) {
        throw new AssertionError(name + ": id=" + id + ", least=" + least);
      }
      for (int i = 0; i < 200; i++) {
        in.seek((long) random.nextInt(words) * Long.BYTES);
        long word = in.readLong();
        if (word != id) {
          throw new AssertionError(name + ": id=" + id + ", word=" + word);
        }
      }
    } catch (NoSuchFileException | FileNotFoundException _) {
      // Between two of that name.
    }
  }
}
