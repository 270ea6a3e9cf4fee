// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import io.github.lucenedirectories.internal.memory.FileContents;
import io.github.lucenedirectories.internal.memory.MemorySink;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
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

  private final PmemMemory memory;
  private final Pools pools;
  private final PageAllocator allocator;
  private final String file;
  private final long estimate;

  /** The parts that are full; empty while the file lies in one extent. */
  private final List<PoolExtent> full = new ArrayList<>();

  private long last = AddressRanges.NONE;

  private long lastBytes;
  private long usedOfLast;
  private boolean inParts;
  private boolean ended;

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
  public synchronized void append(byte[] from, int offset, int length) throws IOException {
    ensureOpen();
    for (int done = 0; done < length; ) {
      if (lastBytes - usedOfLast < length - done) {
        makeRoom(usedOfLast + length - done);
      }
      int n = (int) Math.min(lastBytes - usedOfLast, length - done);
      pools.write(last + usedOfLast, from, offset + done, n);
      usedOfLast += n;
      done += n;
    }
  }

  /** Extends the last extent to {@code needed} bytes, or at least makes some room in it. */
  private void makeRoom(long needed) throws IOException {
    if (inParts) {
      if (usedOfLast == lastBytes) {
        addPart();
      }
      return;
    }
    long wanted = wantedBytes(needed);
    if (extend(wanted) || extend(needed)) {
      return;
    }
    try {
      move(wanted, needed);
    } catch (IOException e) {
      if (needed <= memory.partBytes()) {
        throw e;
      }
      cutIntoParts(e);
    }
  }

  private boolean extend(long bytes) {
    if (last == AddressRanges.NONE || !allocator.extend(last, bytes)) {
      return false;
    }
    lastBytes = bytes;
    return true;
  }

  /** Doubles the length, so that files are rarely copied; at most the estimate for the segment. */
  private long wantedBytes(long needed) {
    long doubled = Math.max(needed, Math.max(FIRST_BYTES, 2 * lastBytes));
    if (doubled <= ESTIMATED_BYTES || estimate == MemorySink.UNKNOWN || estimate < needed) {
      return doubled;
    }
    // Estimates are for whole segments, and other files cannot use what this one takes.
    long atOnce = Math.min(memory.partBytes(), allocator.longestFreeBytes() / FREE_SHARE);
    return Math.min(estimate, Math.max(doubled, atOnce));
  }

  private void move(long wanted, long needed) throws IOException {
    PoolExtent extent = memory.allocate(file, needed, wanted);
    copyTo(extent.address(), last, usedOfLast);
    if (last != AddressRanges.NONE) {
      allocator.unused(last);
    }
    last = extent.address();
    lastBytes = extent.length();
  }

  /** Copies to an extent, which is freed if the copy fails. */
  private void copyTo(long to, long from, long length) throws IOException {
    try {
      copy(from, to, length);
    } catch (Throwable t) {
      allocator.unused(to);
      throw t;
    }
  }

  private void copy(long from, long to, long length) throws IOException {
    byte[] buffer = new byte[(int) Math.min(COPY_BYTES, length)];
    for (long done = 0; done < length; ) {
      int n = (int) Math.min(buffer.length, length - done);
      MemorySegment.copy(pools.bytes(from + done, n), ValueLayout.JAVA_BYTE, 0, buffer, 0, n);
      pools.write(to + done, buffer, 0, n);
      done += n;
    }
  }

  private void addPart() throws IOException {
    long part = memory.partBytes();
    long address = memory.allocate(file, part);
    full.add(new PoolExtent(last, part));
    last = address;
    lastBytes = part;
    usedOfLast = 0;
  }

  /** Cuts the file into parts, because no extent is long enough for all of it. */
  private void cutIntoParts(IOException cause) throws IOException {
    long part = memory.partBytes();
    long fullParts = usedOfLast / part;
    long rest = usedOfLast % part;
    long restAt = last + fullParts * part;
    long address;
    try {
      address = memory.allocate(file, part);
    } catch (IOException e) {
      e.addSuppressed(cause);
      throw e;
    }
    copyTo(address, restAt, rest);
    inParts = true;
    if (fullParts > 0) {
      allocator.trim(last, fullParts * part);
    } else if (last != AddressRanges.NONE) {
      allocator.unused(last);
    }
    for (long i = 0; i < fullParts; i++) {
      if (i < fullParts - 1) {
        allocator.split(last + i * part, part);
      }
      full.add(new PoolExtent(last + i * part, part));
    }
    last = address;
    lastBytes = part;
    usedOfLast = rest;
  }

  private List<PoolExtent> extents() {
    List<PoolExtent> extents = new ArrayList<>(full);
    if (usedOfLast > 0) {
      extents.add(new PoolExtent(last, usedOfLast));
    }
    return extents;
  }

  @Override
  public synchronized void writeTo(IndexOutput output) throws IOException {
    ensureOpen();
    for (PoolExtent extent : extents()) {
      OffHeapMemory.write(pools.bytes(extent.address(), extent.length()), output);
    }
  }

  @Override
  public synchronized FileContents seal() {
    ensureOpen();
    ended = true;
    if (last != AddressRanges.NONE) {
      if (usedOfLast > 0) {
        allocator.trim(last, usedOfLast);
      } else {
        allocator.unused(last);
      }
    }
    return memory.sealed(List.copyOf(extents()));
  }

  @Override
  public synchronized void discard() {
    if (!ended) {
      ended = true;
      full.forEach(extent -> allocator.unused(extent.address()));
      if (last != AddressRanges.NONE) {
        allocator.unused(last);
      }
    }
  }

  private void ensureOpen() {
    if (ended) {
      throw new AlreadyClosedException("Already closed: file=" + file);
    }
  }
}
