// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.BackgroundThread;
import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.BlockIndexOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** Writes a new file in the background, bypassing the page cache. */
final class DirectIndexOutput extends BlockIndexOutput {

  /*
   * Direct writes take whole device blocks. So the last block is padded with zeros and the file is
   * truncated to its length afterwards; it is not read before it is closed. A piece that the device
   * refuses, because it needs larger blocks for instance, is written through the cache.
   */

  static final int PIECE_BYTES = 1 << 18;

  /** The largest number of pieces in flight to the device. */
  private static final int WRITES = 4;

  /** The process's threads; they end when they are idle. */
  private static final ThreadPoolExecutor THREADS =
      new ThreadPoolExecutor(
          WRITES,
          WRITES,
          100,
          TimeUnit.MILLISECONDS,
          new LinkedBlockingQueue<>(),
          BackgroundThread.factory("direct-write"));

  static {
    THREADS.allowCoreThreadTimeOut(true);
  }

  private final FileCalls calls;

  /** Writes through the cache. */
  private final OutputStream cached;

  private final int cachedDescriptor;
  private final int directDescriptor;

  private final Arena memory = Arena.ofShared();

  /** Pieces that were written. */
  private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();

  /** Memory for the next bytes; null if there were none since the last piece. */
  private @Nullable MemorySegment piece;

  private int used;
  private long start;

  private final Semaphore room = new Semaphore(WRITES);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Writes to a newly created file, and closes the stream and the descriptors. */
  DirectIndexOutput(
      Path path, FileCalls calls, OutputStream cached, int cachedDescriptor, int directDescriptor) {
    super("DirectIndexOutput(path=\"" + path + "\")", path.getFileName().toString());
    this.calls = calls;
    this.cached = cached;
    this.cachedDescriptor = cachedDescriptor;
    this.directDescriptor = directDescriptor;
    LiveResource.DESCRIPTORS.add(2);
  }

  /**
   * Creates the file. If the platform or its file system does not support direct writes, it is
   * written through the cache.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  static IndexOutput create(Path path) throws IOException {
    NativeTarget target = NativeTarget.of(path).orElse(null);
    if (target == null) {
      return FileIndexOutput.create(path);
    }
    FileCalls calls = target.calls();
    OutputStream cached = FileIndexOutput.newFile(path);
    int cachedDescriptor = -1;
    try {
      cachedDescriptor = calls.openForWrite(target.path());
      int directDescriptor = calls.openForDirectWrite(target.path());
      PathCounter.DIRECT_WRITE_FILE.increment();
      return new DirectIndexOutput(path, calls, cached, cachedDescriptor, directDescriptor);
    } catch (IOException _) {
      if (cachedDescriptor >= 0) {
        calls.close(cachedDescriptor);
      }
      return new FileIndexOutput(path, cached, WriteBack.of(path));
    } catch (Throwable t) {
      if (cachedDescriptor >= 0) {
        calls.close(cachedDescriptor);
      }
      IOUtils.closeWhileHandlingException(cached);
      throw t;
    }
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      if (piece == null) {
        MemorySegment written = free.poll();
        piece = written == null ? memory.allocate(PIECE_BYTES, FileCalls.DIRECT_BYTES) : written;
      }
      int n = Math.min(length - done, PIECE_BYTES - used);
      MemorySegment.copy(bytes, offset + done, piece, ValueLayout.JAVA_BYTE, used, n);
      used += n;
      done += n;
      if (used == PIECE_BYTES) {
        submit(piece);
        piece = null;
        used = 0;
      }
    }
  }

  /** Queues a whole piece for writing in the background. */
  private void submit(MemorySegment whole) throws IOException {
    rethrowFailure();
    long pos = start;
    start += whole.byteSize();
    room.acquireUninterruptibly();
    Runnable write =
        () -> {
          try {
            writePiece(whole, pos);
          } catch (Throwable t) {
            failure.compareAndSet(null, t);
          } finally {
            free.add(whole);
            room.release();
          }
        };
    try {
      THREADS.execute(write);
    } catch (OutOfMemoryError _) {
      // The system allows no more threads.
      write.run();
    }
  }

  private void writePiece(MemorySegment whole, long pos) throws IOException {
    try {
      calls.write(directDescriptor, whole, pos);
    } catch (IOException _) {
      calls.write(cachedDescriptor, whole, pos);
    }
  }

  private void rethrowFailure() throws IOException {
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IOException("cannot write: " + this, failed);
    }
  }

  @Override
  protected void finish(byte[] bytes, int length) throws IOException {
    try {
      if (start == 0 && piece == null) {
        FileIndexOutput.write(cached, bytes, 0, length);
        return;
      }
      write(bytes, 0, length);
      room.acquireUninterruptibly(WRITES);
      room.release(WRITES);
      rethrowFailure();
      if (piece != null) {
        long end = start + used;
        int blocks = (used + FileCalls.DIRECT_BYTES - 1) & -FileCalls.DIRECT_BYTES;
        MemorySegment last = piece.asSlice(0, blocks);
        last.asSlice(used).fill((byte) 0);
        writePiece(last, start);
        calls.truncate(cachedDescriptor, end);
      }
    } finally {
      abandon();
    }
  }

  @Override
  protected void abandon() throws IOException {
    room.acquireUninterruptibly(WRITES);
    memory.close();
    LiveResource.DESCRIPTORS.add(-2);
    calls.close(directDescriptor);
    calls.close(cachedDescriptor);
    cached.close();
  }
}
