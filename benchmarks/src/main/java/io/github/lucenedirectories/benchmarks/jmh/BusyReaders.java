package io.github.lucenedirectories.benchmarks.jmh;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Threads that read longs at random positions of a file of their own, without a pause, until they
 * are closed.
 *
 * <p>They keep the process in the state in which a search node closes files: releasing memory that
 * is shared by threads has to wait until each of them is known to be elsewhere.
 */
final class BusyReaders implements Closeable {
  private static final String NAME = "_busy.dat";
  private static final int BLOCKS = 16;
  private static final int READS_BETWEEN_CHECKS = 1 << 10;

  private final IndexInput input;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
  private final List<Future<Long>> running = new ArrayList<>();
  private volatile boolean stopped;

  /** Writes the file and starts that many threads. */
  BusyReaders(int count, Directory directory) throws IOException {
    DirectoryState.write(directory, NAME, Block.randomBytes(), BLOCKS);
    input = directory.openInput(NAME, IOContext.DEFAULT);
    for (int i = 0; i < count; i++) {
      IndexInput clone = input.clone();
      long seed = Block.SEED + i;
      running.add(threads.submit(() -> read(clone, new SplittableRandom(seed))));
    }
  }

  private long read(IndexInput in, SplittableRandom random) throws IOException {
    long bound = in.length() - Long.BYTES;
    long sum = 0;
    while (!stopped) {
      for (int i = 0; i < READS_BETWEEN_CHECKS; i++) {
        in.seek(random.nextLong(bound));
        sum += in.readLong();
      }
    }
    return sum;
  }

  /**
   * Ends the threads.
   *
   * @throws IOException if one of them failed, which makes what was measured worthless
   */
  @Override
  public void close() throws IOException {
    stopped = true;
    threads.close();
    try (input) {
      for (Future<Long> one : running) {
        one.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException("a busy reader failed", e);
    }
  }
}
