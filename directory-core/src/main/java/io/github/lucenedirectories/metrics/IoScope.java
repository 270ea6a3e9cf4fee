// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.store.IoRecorder;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a search reads.
 *
 * <pre>{@code
 * IoScope scope = IoScope.begin();
 * try (scope) {
 *   searcher.search(query, 10);
 * }
 * Map<String, Double> read = scope.metrics();
 * }</pre>
 *
 * <p>A scope counts the I/O of the thread that began it, and of the tasks that this thread submits
 * to an executor made by {@link #executor}. When closed, it adds its counts to the scope around it.
 * Until the process's first scope, nothing is counted. Beginning and closing cost a system call
 * each.
 */
public final class IoScope implements AutoCloseable {

  private static final int BLOCK_BYTES = 512;
  private static final int WAITS = 200;
  private static final long WAIT_NANOS = 50_000;

  private final Scope scope = new Scope();
  private final Thread thread = Thread.currentThread();
  private final AtomicInteger tasks = new AtomicInteger();
  private final IoRecorder.@Nullable Scope around = IoRecorder.exchange(scope);
  private volatile boolean closed;

  private IoScope() {}

  private final class Scope extends IoRecorder.Scope {
    private void run(Runnable task) {
      IoRecorder.Scope interrupted = IoRecorder.exchange(this);
      tasks.incrementAndGet();
      try {
        task.run();
      } finally {
        IoRecorder.exchange(interrupted);
        tasks.decrementAndGet();
      }
    }
  }

  /** Begins to count what this thread reads, until {@link #close}. */
  public static IoScope begin() {
    IoRecorder.enable();
    return new IoScope();
  }

  /**
   * An executor for an {@code IndexSearcher}: its tasks count for the scope in which they were
   * submitted.
   */
  public static Executor executor(Executor delegate) {
    return task ->
        delegate.execute(
            IoRecorder.current() instanceof Scope scope ? () -> scope.run(task) : task);
  }

  /**
   * What was read until now, or until the scope was closed, by the names of {@link
   * DirectoryMetrics#ofProcess}: the sums of all kinds of files, and what is not 0 by kind, as in
   * {@code reads.postings}. Also {@code device.read.bytes}, which the system read for the threads,
   * for pages of mapped files and for other code too, and {@code major.faults}, how often they
   * waited for such a page; both are missing without native access, and if a thread is virtual.
   *
   * @throws IllegalStateException if the scope is open, and another thread began it or a scope
   *     within it is open
   */
  public Map<String, Double> metrics() {
    if (!closed) {
      leave(scope);
    }
    MetricSource counted = sink -> IoRecorder.report(scope.counters::get, sink);
    Map<String, Double> metrics = counted.metrics();
    if (scope.unobserved.get() == 0) {
      metrics.put("device.read.bytes", (double) scope.deviceBlocks.get() * BLOCK_BYTES);
      metrics.put("major.faults", (double) scope.majorFaults.get());
    }
    return metrics;
  }

  private void leave(IoRecorder.@Nullable Scope next) {
    if (Thread.currentThread() != thread || IoRecorder.current() != scope) {
      throw new IllegalStateException("another thread began this, or a scope within it is open");
    }
    IoRecorder.exchange(next);
    // A task completes its future before its thread leaves the scope.
    for (int i = 0; i < WAITS && tasks.get() > 0; i++) {
      LockSupport.parkNanos(WAIT_NANOS);
    }
  }

  /**
   * Ends the scope, and waits about 10 milliseconds at most for tasks that have not ended. What
   * those read from then on, and what the device read for them before, counts for this scope alone.
   * Closing it again does nothing.
   *
   * @throws IllegalStateException as {@link #metrics}
   */
  @Override
  public void close() {
    if (!closed) {
      leave(around);
      IoRecorder.end(scope, around);
      closed = true;
    }
  }
}
