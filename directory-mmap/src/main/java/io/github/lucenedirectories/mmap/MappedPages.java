// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.Residency;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/** The pages of one mapped file, for its inputs. It lives as long as one of them. */
final class MappedPages implements Residency {

  /*
   * Since 6.3, Linux ignores the use of pages in mappings with random advice when it chooses what
   * to evict (vma_has_recency): hot pages go with those that are read once. So the file is mapped
   * again, without advice, and of each page that was read a byte is read through that mapping too.
   * The page is in memory by then, so the kernel reads nothing around it.
   *
   * A page is shown once in a tick. MemoryWatch counts one whenever the process has loaded a
   * sixteenth of the page cache anew. While nothing is evicted, no page is shown a second time.
   * The marks are shared by all files. They are written without a lock, and two pages may share
   * one: then a page is shown too often, or once too little.
   */

  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  /** Before the first tick it is 0, and no page is shown. */
  private static volatile int tick;

  /** How far back pages are shown: what was read before may be gone. */
  private static final long MOST_BYTES = 64 << 10;

  /** Made when the first page is shown. */
  private static final class Shown {
    /** One for each page of 1 GiB. The upper half comes from the page, the lower from the tick. */
    static final int[] MARKS = new int[1 << 18];

    static final int PAGE_SHIFT = Long.numberOfTrailingZeros(NativeCalls.pageBytes());
  }

  private final MappedResidency file;
  private final IOSupplier<MemorySegment> mapping;

  /** All of the file without advice; null before it is mapped again, empty if it cannot be. */
  private volatile @Nullable MemorySegment again;

  /**
   * The pages of a file.
   *
   * @param mapping maps all of the file again, with the lifetime of its first mapping
   */
  MappedPages(MappedResidency file, IOSupplier<MemorySegment> mapping) {
    this.file = file;
    this.mapping = mapping;
  }

  @Override
  public FileKind kind() {
    return file.kind();
  }

  @Override
  public boolean isRandom(FileKind part) {
    return file.isRandom(part);
  }

  /** Lucene prefetches the page where it will begin to read: if it is loaded, that is a use. */
  @Override
  public void prefetch(MemorySegment range) {
    int now = tick;
    if (range.byteSize() > 1 || now == 0 || !file.isRandom(file.kind())) {
      file.prefetch(range);
    } else if (isNew(range.address() >>> Shown.PAGE_SHIFT, now) && file.load(range)) {
      show(range, 0);
    }
  }

  @Override
  public void advise(MemorySegment range, String name, IOContext context) {
    file.advise(range, name, context);
  }

  @Override
  public Optional<Boolean> isLoaded(MemorySegment range) {
    return file.isLoaded(range);
  }

  @Override
  public void used(MemorySegment chunk, long from, long to) {
    int now = tick;
    if (now == 0) {
      return;
    }
    long address = chunk.address();
    for (long pos = Math.max(from, to - MOST_BYTES); pos < to; ) {
      long page = (address + pos) >>> Shown.PAGE_SHIFT;
      if (isNew(page, now)) {
        show(chunk, pos);
      }
      pos = ((page + 1) << Shown.PAGE_SHIFT) - address;
    }
  }

  /** From now on all pages are shown again. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread counts; what races is a hint
  static void tick() {
    tick++;
  }

  /** Whether a page is seen for the first time in a tick; false from then on. */
  static boolean isNew(long page, int tick) {
    int slot = (int) page & (Shown.MARKS.length - 1);
    int mark = ((int) (page / Shown.MARKS.length) << 16) | (tick & 0xFFFF);
    boolean isNew = Shown.MARKS[slot] != mark;
    if (isNew) {
      // Only then: a write takes the cache line from other processors.
      Shown.MARKS[slot] = mark;
    }
    return isNew;
  }

  private void show(MemorySegment chunk, long pos) {
    MemorySegment mapped = again;
    MemorySegment all = mapped == null ? mapAgain() : mapped;
    if (all.byteSize() > 0) {
      // Volatile: the JIT compiler may neither drop a read nor change their order.
      byte _ = (byte) BYTE.getVolatile(chunk, pos);
      byte _ = (byte) BYTE.getVolatile(all, chunk.address() + pos - file.address());
    }
  }

  private synchronized MemorySegment mapAgain() {
    MemorySegment mapped = again;
    if (mapped == null) {
      try {
        mapped = mapping.get();
      } catch (IOException _) {
        // Deleted, or without descriptors: only the kernel's choice of pages suffers.
        mapped = MemorySegment.NULL;
      }
      again = mapped;
    }
    return mapped;
  }
}
