// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.store.FileKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.AlreadyClosedException;

/** A {@link PositionalFile} that reads from a cache, and on a miss from another directory. */
final class CachedFile implements PositionalFile {

  private static final byte[] NOTHING = {};

  private final BlockCache cache;
  private final CachedBlocks blocks;
  private final CachedContent content;
  private final DelegateReads file;
  private final long length;
  private final int blockShift;
  private final Runnable whenClosed;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Takes ownership of an open file.
   *
   * @param whenClosed runs in the first {@link #close}
   */
  CachedFile(BlockCache cache, CachedContent content, DelegateReads file, Runnable whenClosed) {
    this.cache = cache;
    this.blocks = cache.blocks();
    this.content = content;
    this.file = file;
    this.length = file.length();
    this.blockShift = Integer.numberOfTrailingZeros(cache.blockBytes());
    this.whenClosed = whenClosed;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void ensureOpen() {
    if (closed.get()) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  @Override
  public void read(long pos, byte[] target, int offset, int length) throws IOException {
    ensureOpen();
    int blockBytes = 1 << blockShift;
    for (int done = 0; done < length; ) {
      long block = (pos + done) >>> blockShift;
      int from = (int) (pos + done) & (blockBytes - 1);
      int n = Math.min(length - done, blockBytes - from);
      if (blocks.read(content, block, from, target, offset + done, n)) {
        content.kind.hits.increment();
      } else {
        content.kind.misses.increment();
        if (!cache.fetch(content, file, block, from, target, offset + done, n)) {
          pass(pos, target, offset, length);
          return;
        }
      }
      done += n;
    }
  }

  /** Bypasses the cache with one read: a truncated file may still have the wanted bytes. */
  private void pass(long pos, byte[] target, int offset, int length) throws IOException {
    file.read(pos, target, offset, length);
    content.kind.passedBytes.add(length);
  }

  @Override
  public void read(long pos, MemorySegment target) throws IOException {
    byte[] part = new byte[(int) Math.min(target.byteSize(), cache.blockBytes())];
    for (long done = 0; done < target.byteSize(); ) {
      int n = (int) Math.min(part.length, target.byteSize() - done);
      read(pos + done, part, 0, n);
      MemorySegment.copy(MemorySegment.ofArray(part), 0, target, done, n);
      done += n;
    }
  }

  /** Prefetches what a miss would read of the other directory: whole blocks. */
  @Override
  public void prefetch(FileKind kind, long pos, long length) {
    long from = pos >>> blockShift << blockShift;
    long end = (((pos + length - 1) >>> blockShift) + 1) << blockShift;
    readAhead(from, Math.min(end, this.length) - from);
  }

  /**
   * Prefetches the part of the range that is not cached, through the other directory; the reader's
   * misses then cache whole blocks.
   *
   * @return true, although the other directory may know that its bytes are in memory
   */
  @Override
  public boolean readAhead(long pos, long length) {
    long first = pos >>> blockShift;
    long last = (pos + length - 1) >>> blockShift;
    while (first <= last && blocks.holds(content, first)) {
      first++;
    }
    while (first < last && blocks.holds(content, last)) {
      last--;
    }
    if (first <= last) {
      long from = Math.max(pos, first << blockShift);
      file.prefetch(from, Math.min(pos + length, (last + 1) << blockShift) - from);
    }
    return true;
  }

  /** Loads without counting misses. */
  @Override
  public void load(long pos, int length, byte[] scratch) {
    for (long at = pos; at < pos + length; at += 1L << blockShift) {
      fetchAhead(at >>> blockShift);
    }
  }

  private void fetchAhead(long block) {
    try {
      if (!closed.get() && !blocks.holds(content, block)) {
        cache.fetch(content, file, block, 0, NOTHING, 0, 0);
      }
    } catch (IOException | AlreadyClosedException _) {
      // A read of the block will report a lasting failure.
    }
  }

  @Override
  public Optional<Resident> resident() throws IOException {
    BitSet units = new BitSet();
    for (int block = 0; (long) block << blockShift < length; block++) {
      units.set(block, blocks.holds(content, block));
    }
    byte[] end = new byte[(int) Math.min(Long.BYTES, length)];
    file.read(length - end.length, end, 0, end.length);
    long checksum = end.length < Long.BYTES ? 0 : ByteBuffer.wrap(end).getLong();
    long bytes = Math.min(length, (long) units.cardinality() << blockShift);
    return Optional.of(new Resident(1 << blockShift, length, checksum, bytes, units));
  }

  /** Whole blocks: the end of a file takes one, however short it is. */
  @Override
  public long roomBytes(long residentBytes) {
    return (long) blocks.room() << blockShift;
  }

  @Override
  public PositionalFile streamed() {
    return new Streamed();
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      try (file) {
        whenClosed.run();
      }
    }
  }

  @Override
  public String toString() {
    return "CachedFile(" + file + ")";
  }

  /** Sequential view: its reads bypass the cache and leave it unchanged. */
  private final class Streamed implements PositionalFile {

    @Override
    public long length() {
      return length;
    }

    @Override
    public void ensureOpen() {
      CachedFile.this.ensureOpen();
    }

    @Override
    public void read(long pos, byte[] target, int offset, int length) throws IOException {
      ensureOpen();
      pass(pos, target, offset, length);
    }

    @Override
    public void read(long pos, MemorySegment target) throws IOException {
      byte[] bytes = new byte[Math.toIntExact(target.byteSize())];
      read(pos, bytes, 0, bytes.length);
      target.copyFrom(MemorySegment.ofArray(bytes));
    }

    @Override
    public void prefetch(FileKind kind, long pos, long length) {
      file.prefetch(pos, length);
    }

    @Override
    public boolean readAhead(long pos, long length) {
      file.prefetch(pos, length);
      return true;
    }

    @Override
    public void close() throws IOException {
      CachedFile.this.close();
    }

    @Override
    public String toString() {
      return CachedFile.this.toString();
    }
  }
}
