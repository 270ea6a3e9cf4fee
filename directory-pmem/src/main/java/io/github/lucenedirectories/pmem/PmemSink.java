// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import io.github.lucenedirectories.internal.memory.FileContents;
import io.github.lucenedirectories.internal.memory.MemorySink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.IndexOutput;

/** A {@link MemorySink} that writes into pools. */
final class PmemSink implements MemorySink {

  /*
   * A file lies in one extent, which is extended in place or else copied to a longer one. When no
   * extent is long enough any more, the written bytes are cut into parts of equal length, and more
   * parts follow.
   */

  private static final long FIRST_BYTES = 1L << 16;

  /** From this length on a file takes no more than the estimate for its segment. */
  private static final long ESTIMATED_BYTES = 1L << 20;

  /** Divides the longest free range: bounds what a growing file takes ahead. */
  private static final int FREE_SHARE = 16;

  private static final int COPY_BYTES = 1 << 16;

  private static final PoolExtent NOTHING = new PoolExtent(AddressRanges.NONE, 0);

  private final PmemMemory memory;
  private final Pools pools;
  private final PageAllocator allocator;
  private final String file;
  private final long estimate;

  /** The parts that are full; empty while the file lies in one extent. */
  private final List<PoolExtent> full = new ArrayList<>();

  /** Takes the next bytes. */
  private PoolExtent last = NOTHING;

  private long usedOfLast;
  private boolean inParts;

  /**
   * A sink for a file.
   *
   * @param estimate its length as {@link MemorySink#estimate} gives it
   */
  PmemSink(PmemMemory memory, String file, long estimate) {
    this.memory = memory;
    this.pools = memory.pools();
    this.allocator = memory.allocator();
    this.file = file;
    this.estimate = estimate;
  }

  @Override
  public void append(byte[] from, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      if (usedOfLast == last.length()) {
        makeRoom(usedOfLast + length - done);
      }
      int n = (int) Math.min(last.length() - usedOfLast, length - done);
      pools.write(last.address() + usedOfLast, from, offset + done, n);
      usedOfLast += n;
      done += n;
    }
  }

  /** Extends the full last extent to {@code needed} bytes, or adds a part. */
  private void makeRoom(long needed) throws IOException {
    long part = memory.partBytes();
    if (inParts) {
      PoolExtent next = memory.allocate(file, part, part);
      full.add(last);
      last = next;
      usedOfLast = 0;
      return;
    }
    long wanted = wantedBytes(needed);
    if (extend(wanted) || extend(needed)) {
      return;
    }
    try {
      move(wanted, needed);
    } catch (IOException e) {
      if (needed <= part) {
        throw e;
      }
      cutIntoParts(part);
    }
  }

  private boolean extend(long bytes) {
    if (last == NOTHING || !allocator.extend(last.address(), bytes)) {
      return false;
    }
    last = new PoolExtent(last.address(), bytes);
    return true;
  }

  /** Doubles the length, so that files are rarely copied; at most the estimate for the segment. */
  private long wantedBytes(long needed) {
    long doubled = Math.max(needed, Math.max(FIRST_BYTES, 2 * last.length()));
    if (doubled <= ESTIMATED_BYTES || estimate == MemorySink.UNKNOWN || estimate < needed) {
      return doubled;
    }
    // Estimates are for whole segments, and other files cannot use what this one takes.
    long atOnce = Math.min(memory.partBytes(), allocator.longestFreeBytes() / FREE_SHARE);
    return Math.min(estimate, Math.max(doubled, atOnce));
  }

  private void move(long wanted, long needed) throws IOException {
    PoolExtent longer = memory.allocate(file, needed, wanted);
    copyTo(longer, last.address(), usedOfLast);
    free(last);
    last = longer;
  }

  private void free(PoolExtent extent) {
    if (extent != NOTHING) {
      allocator.unused(extent.address());
    }
  }

  /** Copies to an extent, which is freed if the copy fails. */
  private void copyTo(PoolExtent to, long from, long length) throws IOException {
    try {
      byte[] buffer = new byte[(int) Math.min(COPY_BYTES, length)];
      for (long done = 0; done < length; ) {
        int n = (int) Math.min(buffer.length, length - done);
        MemorySegment.copy(pools.bytes(from + done, n), ValueLayout.JAVA_BYTE, 0, buffer, 0, n);
        pools.write(to.address() + done, buffer, 0, n);
        done += n;
      }
    } catch (Throwable t) {
      free(to);
      throw t;
    }
  }

  /** Cuts the file into parts, because no extent is long enough for all of it. */
  private void cutIntoParts(long part) throws IOException {
    PoolExtent next = memory.allocate(file, part, part);
    long fullParts = usedOfLast / part;
    long rest = usedOfLast % part;
    copyTo(next, last.address() + fullParts * part, rest);
    inParts = true;
    if (fullParts > 0) {
      allocator.trim(last.address(), fullParts * part);
    } else {
      free(last);
    }
    for (long i = 0; i < fullParts; i++) {
      PoolExtent one = new PoolExtent(last.address() + i * part, part);
      if (i < fullParts - 1) {
        allocator.split(one.address(), part);
      }
      full.add(one);
    }
    last = next;
    usedOfLast = rest;
  }

  @Override
  public void writeTo(IndexOutput output) {
    throw new UnsupportedOperationException("files in pools are not spilled: file=" + file);
  }

  @Override
  public FileContents seal() {
    List<PoolExtent> extents = new ArrayList<>(full);
    if (usedOfLast > 0) {
      allocator.trim(last.address(), usedOfLast);
      extents.add(new PoolExtent(last.address(), usedOfLast));
      last = NOTHING;
    }
    full.clear();
    discard();
    return memory.sealed(extents);
  }

  @Override
  public void discard() {
    full.forEach(this::free);
    full.clear();
    free(last);
    last = NOTHING;
  }
}
