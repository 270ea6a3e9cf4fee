// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates the background threads of this library. They are daemons and do not keep the inheritable
 * thread locals or the context class loader of the starting thread alive.
 */
public final class BackgroundThread {

  private static final AtomicLong NEXT = new AtomicLong();

  private BackgroundThread() {}

  /** A thread that is not started yet, named {@code lucene-directories-<purpose>-<number>}. */
  public static Thread unstarted(String purpose, Runnable work) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("lucene-directories-" + purpose + "-" + NEXT.incrementAndGet())
            .inheritInheritableThreadLocals(false)
            .unstarted(work);
    thread.setContextClassLoader(null);
    return thread;
  }

  public static ThreadFactory factory(String purpose) {
    return work -> unstarted(purpose, work);
  }
}
