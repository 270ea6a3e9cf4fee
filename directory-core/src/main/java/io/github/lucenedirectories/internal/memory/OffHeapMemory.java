// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.os.Events.Refusal;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.lucene.store.IndexOutput;

/**
 * Memory outside the Java heap for files, within a limit: {@link ReservedMemory} on 64-bit Linux,
 * {@link AllocatedMemory} elsewhere, or if native calls or the reservation are refused.
 *
 * <p>The limit counts resident pages: those of files and those that were released but not yet given
 * back to the system. Neither kind counts against {@code -XX:MaxDirectMemorySize}; both count
 * against the memory limit of a container. All methods may be called from any thread.
 */
public abstract class OffHeapMemory implements FileMemory, Closeable {

  private static final int COPY_BYTES = 1 << 14;

  final MemoryOptions options;
  final Reaper reaper;
  final MemoryBudget budget;
  private final Runnable reliever = this::giveBackFree;

  OffHeapMemory(MemoryOptions options, Reaper reaper, MemoryBudget budget) {
    this.options = options;
    this.reaper = reaper;
    this.budget = budget;
  }

  /**
   * Memory for files; the given reaper closes released arenas.
   *
   * @throws IOException if the system refuses what the options require
   */
  public static OffHeapMemory open(MemoryOptions options, Reaper reaper) throws IOException {
    MemoryBudget budget = new MemoryBudget(options.maxBytes(), options.shared());
    NativeCalls calls = NativeCalls.get().orElse(null);
    Optional<MemoryRegion> region =
        calls == null ? Optional.empty() : MemoryRegion.open(calls, budget, options);
    OffHeapMemory memory =
        region.isPresent()
            ? new ReservedMemory(options, reaper, budget, region.get())
            : new AllocatedMemory(options, reaper, budget);
    budget.join(memory.reliever);
    return memory;
  }

  /** Memory for a complete file of known length, whose bytes the caller then sets. */
  public abstract FileContents allocate(String file, long length) throws IOException;

  @Override
  public final long chunkBytes() {
    return options.chunkBytes();
  }

  @Override
  public final FileContents copyOf(String file, byte[] bytes, int length) throws IOException {
    FileContents contents = allocate(file, length);
    contents.set(bytes, length);
    return contents;
  }

  @Override
  public final void release(FileContents memory) {
    memory.release(reaper);
  }

  /**
   * Takes memory for a file.
   *
   * @param attempt takes memory and returns 0, or returns how many bytes are missing
   * @throws MemoryLimitException if the limit is reached
   */
  final void take(String file, LongSupplier attempt) throws MemoryLimitException {
    if (attempt.getAsLong() == 0) {
      return;
    }
    // Released memory that is not free yet must not make a file fail.
    reaper.drain();
    long lacking = attempt.getAsLong();
    if (lacking > 0) {
      budget.relieve();
      lacking = attempt.getAsLong();
    }
    if (lacking > 0) {
      MemoryBudget tightest = budget.tightest();
      long free = tightest.freeBytes();
      MemoryLimitException refusal =
          MemoryLimitException.limit(
              file, free + lacking, free, tightest.maxBytes(), options.owner());
      Refusal.report(refusal.toString());
      throw refusal;
    }
  }

  public final long maxBytes() {
    return options.maxBytes();
  }

  /** Memory of files, in whole pages, including released files that may still be read. */
  public long usedBytes() {
    return budget.usedBytes();
  }

  public final long peakBytes() {
    return budget.peakBytes();
  }

  /** Memory that no file needs and that was not given back to the system, in bytes. */
  public long residentFreeBytes() {
    return 0;
  }

  /** Gives all memory that no file needs back to the system. */
  void giveBackFree() {
    reaper.drain();
  }

  /** How memory is obtained, for a directory's {@code toString}. */
  public abstract String description();

  /** Gives the addresses back once the last file has been released. */
  @Override
  public void close() {
    budget.leave(reliever);
  }

  @Override
  public final String toString() {
    return options.owner() + " maxBytes=" + options.maxBytes() + " memory=" + description();
  }

  /** Copies bytes from memory to an output, through the heap. */
  public static void write(MemorySegment from, IndexOutput to) throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    for (long done = 0; done < from.byteSize(); ) {
      int n = (int) Math.min(buffer.length, from.byteSize() - done);
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, done, buffer, 0, n);
      to.writeBytes(buffer, 0, n);
      done += n;
    }
  }

  static void copy(byte[] from, int offset, MemorySegment to, long toOffset, int length) {
    MemorySegment.copy(from, offset, to, ValueLayout.JAVA_BYTE, toOffset, length);
  }
}
