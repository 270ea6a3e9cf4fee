package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.internal.os.BackgroundThread;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.util.IORunnable;

/**
 * Writes complete files to the backing in the background, so that a commit finds little to do. A
 * failure is left for the commit, which writes the file again and reports what fails then.
 */
final class WriteBehind implements Closeable {

  /** A threshold that no file reaches. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long IDLE_SECONDS = 1;

  private final long leastBytes;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          BackgroundThread.factory("write-behind"));
  private volatile boolean closed;

  /**
   * @param leastBytes length of the smallest files to be written
   */
  WriteBehind(long leastBytes) {
    this.leastBytes = leastBytes;
    thread.allowCoreThreadTimeOut(true);
  }

  /** Whether a file is to be written. Temporary ones never are: no commit names them. */
  boolean wants(String name, long length) {
    return length >= leastBytes && !name.endsWith(".tmp");
  }

  /** Runs a job as soon as those before it are done; never if this is closed before. */
  void submit(IORunnable job) {
    try {
      thread.execute(
          () -> {
            try {
              if (!closed) {
                job.run();
              }
            } catch (IOException | RuntimeException _) {
              // The file is marked: the next sync writes it again, and reports a failure.
            }
          });
    } catch (RejectedExecutionException | OutOfMemoryError _) {
      // Closed, or the system allows no more threads: the next sync writes the file.
    }
  }

  boolean closed() {
    return closed;
  }

  /** Waits for the job that runs, which gives up soon; the others are dropped. */
  @Override
  public void close() {
    closed = true;
    thread.close();
  }
}
