// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.Events.Refusal;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the Java heap for files, within a limit.
 *
 * <p>On 64-bit Linux one range of addresses is reserved, in which files grow without being copied,
 * large ones in huge pages if the system provides them. Elsewhere, or if native calls or the
 * reservation are refused, memory is allocated piece by piece and copied when a file is complete.
 * The limit counts resident pages: those of files and, on Linux, those that were released but not
 * yet given back. All methods may be called from any thread.
 */
public final class OffHeapMemory implements FileMemory, Closeable {

  private static final int COPY_BYTES = 1 << 14;

  private final MemoryOptions options;
  private final Reaper reaper;
  private final MemoryBudget budget;
  private final @Nullable MemoryRegion region;
  private final Runnable reliever = this::giveBackUnneeded;

  /**
   * Memory for files; the given reaper closes released arenas.
   *
   * @throws IOException if the system refuses what the options require
   */
  public OffHeapMemory(MemoryOptions options, Reaper reaper) throws IOException {
    this.options = options;
    this.reaper = reaper;
    this.budget = new MemoryBudget(options.maxBytes(), options.shared());
    NativeCalls calls = NativeCalls.get().orElse(null);
    this.region = calls == null ? null : MemoryRegion.open(calls, budget, options).orElse(null);
    if (region == null) {
      refuseDemands();
    }
    budget.join(reliever);
  }

  private void giveBackUnneeded() {
    reaper.drain();
    if (region != null) {
      region.giveBackFree();
    }
  }

  private void refuseDemands() throws IOException {
    if (options.hugePages() == HugePages.REQUIRE || options.preTouch() || options.lockInMemory()) {
      throw new IOException(
          "huge pages, touching or locking of memory were demanded, which need native calls and"
              + " address space: "
              + whyAllocated());
    }
  }

  @Override
  public long chunkBytes() {
    return options.chunkBytes();
  }

  @Override
  public MemorySink newSink(String file, IOContext context) throws IOException {
    return region == null
        ? new AllocatedSink(this, file)
        : RegionSink.open(this, region, file, MemorySink.estimate(context));
  }

  /** Memory for a new file of known length, which the caller writes and seals. */
  public NewMemory allocate(String file, long length) throws IOException {
    return region == null
        ? new AllocatedSink(this, file, length)
        : RegionSink.allocate(this, region, file, length);
  }

  @Override
  public FileContents copyOf(String file, byte[] bytes, int length) throws IOException {
    NewMemory memory = allocate(file, length);
    try {
      copy(bytes, 0, memory.bytes(), 0, length);
      return memory.seal();
    } catch (Throwable t) {
      memory.discard();
      throw t;
    }
  }

  @Override
  public void release(FileContents memory) {
    memory.release(reaper);
  }

  /** Releases the memory of an arena in the background. */
  void release(CountedArena arena) {
    reaper.retire(arena);
  }

  Extent reserve(MemoryRegion from, String file, long bytes, boolean large) throws IOException {
    Extent extent = from.reserve(bytes, large);
    if (extent == null) {
      reaper.drain();
      extent = from.reserve(bytes, large);
    }
    if (extent == null) {
      throw new IOException(
          "no address space is left: file=" + file + ", askedBytes=" + bytes + ": " + this);
    }
    return extent;
  }

  /**
   * Gives an extent memory for its first {@code bytes} bytes.
   *
   * @throws IOException if the limit is reached
   */
  void commit(MemoryRegion in, Extent extent, String file, long bytes) throws IOException {
    take(file, () -> in.commit(extent, bytes));
  }

  /**
   * Counts bytes against the limit.
   *
   * @throws IOException if the limit is reached
   */
  void take(String file, long bytes) throws IOException {
    take(file, () -> budget.take(bytes));
  }

  void give(long bytes) {
    budget.give(bytes);
  }

  /**
   * @param attempt takes memory and returns 0, or returns how many bytes are missing
   */
  private void take(String file, LongSupplier attempt) throws IOException {
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
          new MemoryLimitException(
              file, free + lacking, free, tightest.maxBytes(), options.owner());
      Refusal.report(refusal.toString());
      throw refusal;
    }
  }

  public long maxBytes() {
    return options.maxBytes();
  }

  /** Memory of files, in whole pages, including released files that may still be read. */
  public long usedBytes() {
    return region == null ? budget.usedBytes() : region.usedBytes();
  }

  public long peakBytes() {
    return budget.peakBytes();
  }

  /** Memory that no file needs and that was not given back to the system, in bytes. */
  public long residentFreeBytes() {
    return region == null ? 0 : region.residentFreeBytes();
  }

  /** How many bytes lie in huge pages. Takes milliseconds, since it asks the system. */
  public long hugePageBytes() throws IOException {
    return region == null ? 0 : region.hugePageBytes();
  }

  /** How memory is obtained, for a directory's {@code toString}. */
  public String description() {
    if (region == null) {
      return "allocated (" + whyAllocated() + ")";
    }
    return "reserved, huge pages " + (region.hugePages() ? "asked for" : "not used");
  }

  private static String whyAllocated() {
    return NativeCalls.get().isPresent() ? "no address space to reserve" : NativeCalls.whyAbsent();
  }

  /** Gives the addresses back once the last file has been released. */
  @Override
  public void close() {
    budget.leave(reliever);
    if (region != null) {
      region.close();
    }
  }

  @Override
  public String toString() {
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
