package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Files read side by side by several threads with {@code pread}, straight into native memory: the
 * least that any way of loading them has to do. Checks and keeps nothing.
 */
final class ParallelRead {
  /** Threads take so much at a time, cut where huge pages are, so that no two share one. */
  static final long PIECE_BYTES = 8 * FreshMemory.HUGE_PAGE_BYTES;

  private static final long ALIGNMENT = 1L << 12;

  private final FileCalls calls;
  private final int threads;
  private final List<NativePath> paths = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();
  private long fileBytes;
  private long memoryBytes;

  /** A range of a file and where in memory it goes. */
  private record Piece(int file, long position, int bytes, long target) {}

  /** The files, in the order in which they lie in memory, each from a multiple of 4 KiB on. */
  ParallelRead(FileCalls calls, List<Path> files, int threads) throws IOException {
    this.calls = calls;
    this.threads = threads;
    for (Path file : files) {
      paths.add(NativePath.of(file).orElseThrow(() -> new IOException("no native path: " + file)));
      add(paths.size() - 1, Files.size(file));
    }
  }

  private void add(int file, long length) {
    for (long position = 0; position < length; ) {
      long target = memoryBytes + position;
      long end = Math.min(length - position, PIECE_BYTES - target % PIECE_BYTES);
      pieces.add(new Piece(file, position, (int) end, target));
      position += end;
    }
    fileBytes += length;
    memoryBytes += (length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** The length of all files together. */
  long fileBytes() {
    return fileBytes;
  }

  /** The memory that they need. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Opens the files, reads all of them into the memory, and closes them. */
  void into(MemorySegment memory) throws IOException {
    List<Integer> descriptors = new ArrayList<>();
    try {
      for (NativePath path : paths) {
        descriptors.add(calls.openForRead(path));
      }
      readAll(descriptors, memory);
    } finally {
      descriptors.forEach(calls::close);
    }
  }

  private void readAll(List<Integer> descriptors, MemorySegment memory) throws IOException {
    AtomicInteger next = new AtomicInteger();
    Callable<Void> reader =
        () -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(FileCalls.ERROR_STATE_BYTES, Long.BYTES);
            for (int i = next.getAndIncrement(); i < pieces.size(); i = next.getAndIncrement()) {
              read(pieces.get(i), descriptors.get(pieces.get(i).file), error, memory);
            }
            return null;
          }
        };
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (Future<Void> done : executor.invokeAll(Collections.nCopies(threads, reader))) {
        done.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  private void read(Piece piece, int descriptor, MemorySegment error, MemorySegment memory)
      throws IOException {
    MemorySegment target = memory.asSlice(piece.target, piece.bytes);
    for (int done = 0; done < piece.bytes; ) {
      int n =
          calls.pread(
              descriptor, error, target.asSlice(done), piece.bytes - done, piece.position + done);
      if (n == 0) {
        throw new EOFException("file has become shorter: " + paths.get(piece.file));
      }
      done += n;
    }
  }
}
