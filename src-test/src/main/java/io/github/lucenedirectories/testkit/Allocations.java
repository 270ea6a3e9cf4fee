// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.util.IORunnable;

/** What reads leave on the Java heap. */
public final class Allocations {

  /* The compiler that leaves allocations out may take long on a machine with more to do. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private Allocations() {}

  /**
   * Bytes that this thread allocates in a round of reads. What the interpreter and the compiler
   * allocate is not asked for, so rounds are repeated until one takes less than {@code enough}, for
   * half a minute at most.
   *
   * @return what the last round took
   */
  public static long ofRound(long enough, IORunnable round) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long begin = System.nanoTime();
    long allocated;
    do {
      long before = threads.getCurrentThreadAllocatedBytes();
      round.run();
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    } while (allocated >= enough && System.nanoTime() - begin < MOST_NANOS);
    return allocated;
  }
}
