package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.ram.MemoryUsage;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Looks at the memory of a directory all the time, on a thread of its own. */
final class UsageSampler implements AutoCloseable {

  private final RamDirectory directory;
  private final long maxBytes;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::sample, "usage-sampler");
  private volatile boolean stopped;
  private volatile long samples;

  UsageSampler(RamDirectory directory) throws IOException {
    this.directory = directory;
    this.maxBytes = directory.memoryUsage().maxBytes();
    thread.start();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // by this thread alone
  private void sample() {
    try {
      while (!stopped) {
        // The cheap number often, all of them now and then.
        long used = directory.ramBytesUsed();
        if (used < 0 || used > maxBytes) {
          throw new AssertionError("usedBytes=" + used + ", maxBytes=" + maxBytes);
        }
        if (samples++ % 1_000 == 0) {
          check(directory.memoryUsage());
        }
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      failure.set(e);
    }
  }

  private static void check(MemoryUsage usage) {
    if (usage.usedBytes() > usage.maxBytes()
        || usage.freeBytes() < 0
        || usage.peakBytes() > usage.maxBytes()) {
      throw new AssertionError(usage.toString());
    }
  }

  /** Ends, and fails if a look at the memory found more in use than the limit allows. */
  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for " + thread, e);
    }
    if (failure.get() != null || samples == 0) {
      throw new AssertionError("samples=" + samples, failure.get());
    }
  }
}
