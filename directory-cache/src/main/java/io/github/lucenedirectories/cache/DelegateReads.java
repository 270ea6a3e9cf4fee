// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOConsumer;

/**
 * Reads a file of another directory by position, from any number of threads.
 *
 * <p>{@link #close} closes the input, or leaves that to the last read in progress.
 */
final class DelegateReads implements Closeable {

  private final IndexInput original;
  private final Runnable whenClosed;

  /** Reads in progress, plus one until the close. */
  private final AtomicInteger uses = new AtomicInteger(1);

  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Takes ownership of an open input.
   *
   * @param whenClosed runs in the first {@link #close}
   */
  DelegateReads(IndexInput original, Runnable whenClosed) {
    this.original = original;
    this.whenClosed = whenClosed;
  }

  void ensureOpen() {
    if (closed.get()) {
      throw new AlreadyClosedException("Already closed: " + original);
    }
  }

  void read(long pos, byte[] target, int offset, int length) throws IOException {
    use(
        clone -> {
          clone.seek(pos);
          clone.readBytes(target, offset, length);
        });
  }

  void prefetch(long pos, long length) {
    try {
      use(clone -> clone.prefetch(pos, length));
    } catch (IOException | AlreadyClosedException _) {
      // A read will report the failure.
    }
  }

  private void use(IOConsumer<IndexInput> action) throws IOException {
    if (uses.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      throw new AlreadyClosedException("Already closed: " + original);
    }
    try {
      // In Lucene's contract clones are never closed.
      action.accept(original.clone());
    } finally {
      end();
    }
  }

  private void end() throws IOException {
    if (uses.decrementAndGet() == 0) {
      original.close();
    }
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      whenClosed.run();
      end();
    }
  }

  @Override
  public String toString() {
    return original.toString();
  }
}
