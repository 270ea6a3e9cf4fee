// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.LiveResource;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.rules.ExternalResource;

/**
 * A rule that fails a test which leaves a thread of a directory, a descriptor, an arena or bytes
 * outside the heap behind.
 */
public final class NothingLeft extends ExternalResource {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Map<LiveResource, Long> before = new EnumMap<>(LiveResource.class);
  private final Set<Thread> threadsBefore = new HashSet<>();

  @Override
  protected void before() {
    before.putAll(amounts());
    threadsBefore.addAll(threads());
  }

  @Override
  protected void after() {
    if (Thread.interrupted()) {
      throw new AssertionError("an interrupt is left behind, which nobody asked for");
    }
    // What is read in the background holds its file until it is there, and one that has done its
    // work may need a moment to end.
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!left().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("left behind: " + left());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private String left() {
    Map<LiveResource, Long> now = amounts();
    Set<Thread> threads = threads();
    threads.removeAll(threadsBefore);
    return (now.equals(before) ? "" : "before=" + before + ", after=" + now)
        + (threads.isEmpty() ? "" : "threads=" + threads);
  }

  private static Map<LiveResource, Long> amounts() {
    Map<LiveResource, Long> amounts = new EnumMap<>(LiveResource.class);
    for (LiveResource resource : LiveResource.values()) {
      amounts.put(resource, resource.amount());
    }
    return amounts;
  }

  /** The live threads that somebody here may have started: not those of the virtual machine. */
  private static Set<Thread> threads() {
    ThreadGroup own = Thread.currentThread().getThreadGroup();
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(
        thread -> thread.getThreadGroup() != own || thread.getName().startsWith("ForkJoinPool."));
    return threads;
  }
}
