package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.LiveResource;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.rules.ExternalResource;

/**
 * A rule that fails a test which leaves a thread of a directory, a descriptor, an arena or bytes
 * outside the heap behind.
 */
public final class NothingLeft extends ExternalResource {

  private static final long PATIENCE_MILLIS = 1_000;
  private static final int PAUSE_MILLIS = 5;

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
    Map<LiveResource, Long> now = amounts();
    // What is read in the background holds its file until it is there.
    for (int waited = 0; !now.equals(before) && waited < PATIENCE_MILLIS; waited += PAUSE_MILLIS) {
      pause();
      now = amounts();
    }
    if (!now.equals(before)) {
      throw new AssertionError("left behind: before=" + before + ", after=" + now);
    }
    List<Thread> left =
        threads().stream().filter(thread -> !threadsBefore.contains(thread)).toList();
    for (Thread thread : left) {
      // One that has done its work may need a moment to end.
      joinBriefly(thread);
    }
    left = left.stream().filter(Thread::isAlive).toList();
    if (!left.isEmpty()) {
      throw new AssertionError("threads left behind: " + left);
    }
  }

  private static void joinBriefly(Thread thread) {
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for " + thread, e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for what is left behind", e);
    }
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
