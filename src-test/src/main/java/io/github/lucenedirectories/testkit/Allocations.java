package io.github.lucenedirectories.testkit;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.apache.lucene.util.IORunnable;

/** What reads leave on the Java heap. */
public final class Allocations {

  private static final int ROUNDS = 50;

  private Allocations() {}

  /**
   * Bytes that this thread allocates in a round of reads. What the interpreter and the compiler
   * allocate is not asked for, so rounds are repeated until one takes less than {@code enough}.
   *
   * @return what the last round took
   */
  public static long ofRound(long enough, IORunnable round) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS && allocated >= enough; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      round.run();
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    return allocated;
  }
}
