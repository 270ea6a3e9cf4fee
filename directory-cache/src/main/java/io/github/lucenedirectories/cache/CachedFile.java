// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.store.FileKind;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.lucene.store.AlreadyClosedException;

/** A {@link PositionalFile} that reads from a cache, and on a miss from another directory. */
final class CachedFile implements PositionalFile {

  private static final byte[] NOTHING = {};

  private final BlockCache cache;
  private final CachedBlocks blocks;
  private final CachedContent content;
  private final DelegateReads file;
  private final int blockShift;

  private final boolean passes;

  /**
   * A file that is open in another directory.
   *
   * @param file closed with this file
   * @param passes whether reads bypass the cache and leave it unchanged
   */
  CachedFile(BlockCache cache, CachedContent content, DelegateReads file, boolean passes) {
    this.cache = cache;
    this.blocks = cache.blocks();
    this.content = content;
    this.file = file;
    this.blockShift = Integer.numberOfTrailingZeros(cache.blockBytes());
    this.passes = passes;
  }

  @Override
  public long length() {
    return content.length;
  }

  @Override
  public void ensureOpen() {
    file.ensureOpen();
  }

  @Override
  public void read(long pos, byte[] target, int offset, int length) throws IOException {
    ensureOpen();
    if (passes) {
      pass(pos, target, offset, length);
      return;
    }
    int blockBytes = 1 << blockShift;
    for (int done = 0; done < length; ) {
      long block = (pos + done) >>> blockShift;
      int from = (int) (pos + done) & (blockBytes - 1);
      int n = Math.min(length - done, blockBytes - from);
      if (blocks.read(content, block, from, target, offset + done, n)) {
        content.kind.hits.increment();
      } else {
        content.kind.misses.increment();
        if (!fetch(block, from, target, offset + done, n)) {
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

  /**
   * Copies part of a block after a miss. One thread reads the whole block and caches it; other
   * threads that want the block wait for it.
   *
   * @return false if the caller must bypass the cache: it is closed, or the file was truncated
   * @throws IOException if the file cannot be read; the next read tries again
   */
  boolean fetch(long block, int from, byte[] target, int offset, int length) throws IOException {
    while (!blocks.isClosed()) {
      CompletableFuture<Void> own = new CompletableFuture<>();
      CompletableFuture<Void> other = content.fetches.putIfAbsent(block, own);
      try {
        if (other != null) {
          await(other);
        } else if (fetch(own, block, from, target, offset, length)) {
          return true;
        }
      } catch (EOFException _) {
        return false;
      }
      if (blocks.read(content, block, from, target, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /** Returns false if another thread has just cached the block. */
  private boolean fetch(
      CompletableFuture<Void> own, long block, int from, byte[] target, int offset, int length)
      throws IOException {
    try {
      if (blocks.holds(content, block)) {
        return false;
      }
      byte[] bytes = new byte[cache.blockBytes()];
      long start = block << blockShift;
      int n = (int) Math.min(bytes.length, content.length - start);
      file.read(start, bytes, 0, n);
      content.kind.fetchedBytes.add(n);
      System.arraycopy(bytes, from, target, offset, length);
      blocks.put(content, block, bytes, n);
      return true;
    } catch (IOException e) {
      own.completeExceptionally(e);
      throw e;
    } finally {
      content.fetches.remove(block);
      // Those who wait look the block up again, unless the file could not be read.
      own.complete(null);
    }
  }

  /** Waits for another thread's fetch, even if interrupted. */
  private static void await(CompletableFuture<Void> fetch) throws IOException {
    try {
      fetch.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof EOFException end) {
        throw end;
      }
      // Each thread gets its own exception, because callers may add to it.
      throw new IOException(
          "another thread could not read the block: " + e.getCause(), e.getCause());
    }
  }

  /** Prefetches what a miss would read of the other directory: whole blocks. */
  @Override
  public void prefetch(FileKind kind, long pos, long length) {
    long from = pos >>> blockShift << blockShift;
    long end = (((pos + length - 1) >>> blockShift) + 1) << blockShift;
    readAhead(from, Math.min(end, content.length) - from);
  }

  /**
   * Prefetches a range from its first block that is not cached, through the other directory; the
   * reader's misses then cache whole blocks.
   *
   * @return true, although the other directory may know that its bytes are in memory
   */
  @Override
  public boolean readAhead(long pos, long length) {
    long block = pos >>> blockShift;
    while (!passes && block << blockShift < pos + length && blocks.holds(content, block)) {
      block++;
    }
    long from = Math.max(pos, block << blockShift);
    if (from < pos + length) {
      file.prefetch(from, pos + length - from);
    }
    return true;
  }

  /** Loads without counting misses. */
  @Override
  public void load(long pos, int length, byte[] scratch) {
    for (long at = pos; at < pos + length; at += 1L << blockShift) {
      try {
        if (!blocks.holds(content, at >>> blockShift)) {
          fetch(at >>> blockShift, 0, NOTHING, 0, 0);
        }
      } catch (IOException | AlreadyClosedException _) {
        // A read of the block will report a lasting failure.
      }
    }
  }

  @Override
  public Optional<Resident> resident() throws IOException {
    BitSet units = new BitSet();
    for (int block = 0; (long) block << blockShift < content.length; block++) {
      units.set(block, blocks.holds(content, block));
    }
    byte[] end = new byte[(int) Math.min(Long.BYTES, content.length)];
    file.read(content.length - end.length, end, 0, end.length);
    long checksum = end.length < Long.BYTES ? 0 : ByteBuffer.wrap(end).getLong();
    long bytes = Math.min(content.length, (long) units.cardinality() << blockShift);
    return Optional.of(new Resident(1 << blockShift, content.length, checksum, bytes, units));
  }

  /** Whole blocks: the end of a file takes one, however short it is. */
  @Override
  public long roomBytes(long residentBytes) {
    return cache.maxBytes() - ((long) blocks.held() << blockShift);
  }

  @Override
  public PositionalFile streamed() {
    return new CachedFile(cache, content, file, true);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  @Override
  public String toString() {
    return "CachedFile(" + file + ")";
  }
}
