// SPDX-License-Identifier: Apache-2.0
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
 * Writes complete files to the backing in the background, so that commits have less to write. A
 * failure is left to the commit, which writes the file again and reports a failure then.
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
   * @param leastBytes the smallest length of files to be written
   */
  WriteBehind(long leastBytes) {
    this.leastBytes = leastBytes;
    thread.allowCoreThreadTimeOut(true);
  }

  /** Whether a file is to be written. Temporary files never are: no commit names them. */
  boolean wants(String name, long length) {
    return length >= leastBytes && !name.endsWith(".tmp");
  }

  /** Runs a job after those that were submitted before, unless this is closed first. */
  void submit(IORunnable job) {
    try {
      thread.execute(
          () -> {
            try {
              if (!closed) {
                job.run();
              }
            } catch (IOException | RuntimeException _) {
              // The file is suspect: the next sync writes it again, and reports a failure.
            }
          });
    } catch (RejectedExecutionException | OutOfMemoryError _) {
      // Closed, or the system allows no more threads: the next sync writes the file.
    }
  }

  boolean closed() {
    return closed;
  }

  /** Drops the waiting jobs, and waits for the running one, which stops soon. */
  @Override
  public void close() {
    closed = true;
    thread.close();
  }
}
