// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.Dropped;
import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.FileCalls.Advice;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.lucene.store.AlreadyClosedException;

/** A {@link PositionalFile} over a file descriptor and {@code pread}, without a lock. */
final class NativeFile implements PositionalFile {

  /*
   * The system reuses the number of a closed descriptor, so it must not be closed during a read. A
   * reader increments its stripe of `reading`, then checks `closed`; a closer sets `closed`, then
   * checks all stripes. Both are sequentially consistent, so either the reader sees the close and
   * gives up, or the closer sees the reader. Once `closed` is set no new reader gets through, so
   * the stripes may be checked one after another. The first thread that sees all of them at zero,
   * the closer or the last reader, closes the descriptor.
   */

  /** The smallest page; a kernel with larger ones extends what it is asked for. */
  private static final long PAGE_BYTES = 1 << 12;

  /** The longest prefetch: a longer one would evict pages that others read. */
  private static final long MOST_PREFETCH_BYTES = 1 << 21;

  private static final int STRIPES = 4;

  /** Instead of a stripe: the file is closed, or there is nothing to do. */
  private static final int NONE = -1;

  /** Ints from one stripe to the next: two cache lines, against false sharing. */
  private static final int STRIDE = 32;

  private final FileCalls calls;
  private final Path path;
  private final int descriptor;
  private final Owned owned;
  private final Cleaner.Cleanable dropped;
  private final long length;
  private final AtomicIntegerArray reading = new AtomicIntegerArray(indexOf(STRIPES));
  private final TransferBlock.Pool blocks = TransferBlock.pool();
  private final LatencyProbe probe = new LatencyProbe();

  private volatile boolean closed;

  private NativeFile(FileCalls calls, Path path, int descriptor, long length) {
    this.calls = calls;
    this.path = path;
    this.descriptor = descriptor;
    this.length = length;
    LiveResource.DESCRIPTORS.add(1);
    owned = new Owned(calls, descriptor, new AtomicBoolean());
    dropped = Dropped.watch(this, path.toString(), owned::close);
  }

  /** The descriptor, without a reference to the file. */
  private record Owned(FileCalls calls, int descriptor, AtomicBoolean closed) {
    boolean close() {
      if (!closed.compareAndSet(false, true)) {
        return false;
      }
      LiveResource.DESCRIPTORS.add(-1);
      calls.close(descriptor);
      return true;
    }
  }

  static NativeFile open(Path path, NativeTarget target) throws IOException {
    FileCalls calls = target.calls();
    int descriptor = calls.openForRead(target.path());
    try {
      long length = calls.length(descriptor);
      PathCounter.NATIVE_READ_FILE.increment();
      return new NativeFile(calls, path, descriptor, length);
    } catch (Throwable t) {
      calls.close(descriptor);
      throw t;
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(long pos, byte[] target, int offset, int length) throws IOException {
    TransferBlock block = blocks.take();
    try {
      int stripe = acquire();
      try {
        // A long read takes several calls; prefetching keeps the device busy between them.
        long requested = length > TransferBlock.BLOCK_BYTES && !probe.fromMemory() ? 0 : length;
        long begun = probe.begin(pos, length);
        for (int done = 0; done < length; ) {
          if (requested < length && requested - done <= TransferBlock.BLOCK_BYTES) {
            long next = Math.min(requested + ReadRun.MOST_BYTES, length);
            willNeed(pos + requested, next - requested);
            requested = next;
          }
          int n = block.read(calls, descriptor, pos + done, length - done);
          checkEnd(n, pos + done);
          MemorySegment.copy(block.bytes(), ValueLayout.JAVA_BYTE, 0, target, offset + done, n);
          done += n;
        }
        probe.end(begun, length);
      } catch (IOException e) {
        throw PositionalFile.cannotRead(this, e);
      } finally {
        release(stripe);
      }
    } finally {
      block.giveBack();
    }
  }

  @Override
  public boolean countsReads() {
    return true;
  }

  @Override
  public boolean readsMemory() {
    return probe.fromMemory();
  }

  @Override
  public void prefetch(FileKind kind, long pos, long length) {
    int stripe = probe.fromMemory() ? NONE : tryAcquire();
    if (stripe == NONE) {
      return;
    }
    try {
      PathCounter.NATIVE_PREFETCH.increment();
      long bytes = length == 1 ? toEndOfNextPage(pos) : Math.min(length, MOST_PREFETCH_BYTES);
      IoRecorder.prefetch(kind, bytes);
      willNeed(pos, bytes);
    } finally {
      release(stripe);
    }
  }

  @Override
  public void takeOverReadAhead() {
    int stripe = acquire();
    try {
      if (length <= ReadRun.FIRST_READ_BYTES) {
        // The first read loads it whole.
        return;
      } else if (length <= ReadRun.SHORT_BYTES) {
        willNeed(0, length);
      } else {
        calls.advise(descriptor, 0, 0, Advice.RANDOM);
      }
    } finally {
      release(stripe);
    }
  }

  @Override
  public boolean readAhead(long pos, long length) {
    if (this.length <= ReadRun.SHORT_BYTES) {
      return true;
    }
    int stripe = probe.fromMemory() ? NONE : tryAcquire();
    if (stripe == NONE) {
      return false;
    }
    try {
      willNeed(pos, length);
      return true;
    } finally {
      release(stripe);
    }
  }

  /** Prefetches a range, in pieces that the kernel does not shorten. The caller holds a stripe. */
  private void willNeed(long pos, long length) {
    for (long done = 0; done < length; done += ReadRun.MOST_BYTES) {
      long piece = Math.min(ReadRun.MOST_BYTES, length - done);
      calls.advise(descriptor, pos + done, piece, Advice.WILL_NEED);
    }
  }

  /**
   * The bytes from a position to the end of the page after its own. Most of Lucene's readers
   * prefetch a single byte, because they know where they will begin to read, but not how far.
   */
  private long toEndOfNextPage(long pos) {
    return Math.min((pos / PAGE_BYTES + 2) * PAGE_BYTES, length) - pos;
  }

  @Override
  public Optional<Resident> resident() throws IOException {
    return PageResidency.of(path);
  }

  private static void checkEnd(int n, long pos) throws EOFException {
    if (n == 0) {
      throw new EOFException("file has become shorter: pos=" + pos);
    }
  }

  @Override
  public void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  private int acquire() {
    int stripe = tryAcquire();
    if (stripe == NONE) {
      ensureOpen();
    }
    return stripe;
  }

  private int tryAcquire() {
    int stripe = indexOf((int) Thread.currentThread().threadId() & (STRIPES - 1));
    reading.incrementAndGet(stripe);
    if (closed) {
      release(stripe);
      return NONE;
    }
    return stripe;
  }

  /** The index of a stripe. The first is clear of the array's header, which every access reads. */
  private static int indexOf(int stripe) {
    return (stripe + 1) * STRIDE;
  }

  private void release(int stripe) {
    if (reading.decrementAndGet(stripe) == 0 && closed) {
      closeUnlessReading();
    }
  }

  @Override
  public void close() {
    closed = true;
    closeUnlessReading();
  }

  private void closeUnlessReading() {
    for (int i = 0; i < STRIPES; i++) {
      if (reading.get(indexOf(i)) != 0) {
        return;
      }
    }
    if (owned.close()) {
      dropped.clean();
    }
  }

  @Override
  public String toString() {
    return "NativeFile(path=\"" + path + "\", length=" + length + ")";
  }
}
