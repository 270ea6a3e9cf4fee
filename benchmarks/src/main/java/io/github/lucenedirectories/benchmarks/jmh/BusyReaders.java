package io.github.lucenedirectories.benchmarks.jmh;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Threads that read longs at random positions of an input, without a pause, until they are closed.
 *
 * <p>They keep the process in the state in which a search node closes files: releasing memory that
 * is shared by threads has to wait until each of them is known to be elsewhere.
 */
final class BusyReaders implements Closeable {
  private static final int READS_BETWEEN_CHECKS = 1 << 10;

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final LongAdder reads = new LongAdder();
  private final LongAdder sums = new LongAdder();
  private volatile boolean stopped;

  private BusyReaders() {}

  /** Starts that many threads, each on a clone; the input stays the caller's to close. */
  static BusyReaders start(int count, IndexInput input) {
    BusyReaders readers = new BusyReaders();
    for (int i = 0; i < count; i++) {
      IndexInput clone = input.clone();
      long seed = Block.SEED + i;
      readers.threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("busy-reader-" + i)
              .start(() -> readers.read(clone, new SplittableRandom(seed))));
    }
    return readers;
  }

  private void read(IndexInput in, SplittableRandom random) {
    try {
      long bound = in.length() - Long.BYTES;
      while (!stopped) {
        long sum = 0;
        for (int i = 0; i < READS_BETWEEN_CHECKS; i++) {
          in.seek(random.nextLong(bound));
          sum += in.readLong();
        }
        sums.add(sum);
        reads.add(READS_BETWEEN_CHECKS);
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** The longs read so far, by all threads. */
  long reads() {
    return reads.sum();
  }

  /**
   * Ends the threads.
   *
   * @throws IOException if one of them failed, which makes what was measured worthless
   */
  @Override
  public void close() throws IOException {
    stopped = true;
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IOException("a busy reader failed after reads=" + reads() + ", sum=" + sums, cause);
    }
  }
}
