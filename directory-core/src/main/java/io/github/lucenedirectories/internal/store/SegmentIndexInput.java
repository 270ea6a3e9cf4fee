// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import io.github.lucenedirectories.internal.os.PathCounter;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.util.IOConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file whose bytes are addressable: in off-heap memory, mapped, or in persistent memory.
 *
 * <p>The bytes lie in one {@link MemorySegment}, or in several chunks of one power-of-two length;
 * the last may be shorter. Like every {@code IndexInput} it serves one thread at a time; take a
 * clone or a slice for another thread. Only the input that a directory opened needs to be closed;
 * any thread may do so, even during a read.
 *
 * <p>Once closed, an input throws {@link AlreadyClosedException}. So do its clones and slices as
 * soon as the memory has been released, which may happen in the background; until then they read
 * the bytes of their own file, and never those of another. A read during the release may also leave
 * its thread interrupted: HotSpot does that ({@code JavaThread::install_async_exception}), also
 * with Lucene's {@code MMapDirectory}.
 *
 * <p>If a mapped file was truncated or its device fails, the read or code after it throws {@link
 * InternalError}: the JVM reports such a fault as soon as it can.
 */
@SuppressWarnings("MemorySegmentReferenceEquality") // EMPTY is a mark, recognised by identity
public final class SegmentIndexInput extends IndexInput implements MemorySegmentAccessInput {

  /*
   * One class for all, so that a call site which reads from RAM, mapped files and persistent memory
   * in one process stays monomorphic. The fast path has only the segment's own checks:
   *
   *   - IndexOutOfBoundsException: the read left the chunk. The slow path continues in the next
   *     one, or throws end of file or closed (a closed input has an empty segment for each chunk).
   *   - IllegalStateException: the arena of the segment was closed, by the thread that released the
   *     file after the original was closed.
   *
   * A contiguous input is an input of one chunk of 2^63 bytes, so one way to compute a position
   * serves both. A slice over chunks shares the chunks and begins `start` bytes into the first.
   *
   * Where the kernel loads only what is read, it does not see either which pages are used (see
   * Residency). A contiguous input then shows the pages that it has read when it leaves a page: by
   * a seek, or by a read of many bytes. Moves within a page cost a comparison. It never shows a
   * page before it reads it, which would wait for the device: Lucene seeks where it may not read,
   * and several inputs to what it has prefetched before it reads from the first.
   */

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  /** The smallest page of any system: on others, pages are shown more than once. */
  private static final long PAGE_BYTES = 4 << 10;

  private static final MemorySegment EMPTY = MemorySegment.NULL;
  private static final MemorySegment[] CLOSED = {};

  private final Residency residency;

  /** The kind of the file, or of the part of a compound file. */
  private final FileKind kind;

  private final long length;
  private final int chunkShift;

  /** Where this input begins, relative to the first chunk; 0 if contiguous. */
  private final long start;

  /** Releases the file; the first close takes it. Null in clones and slices. */
  private final @Nullable AtomicReference<@Nullable Closeable> owner;

  private MemorySegment[] chunks;

  /** All bytes of this input if it is contiguous, else empty. */
  private MemorySegment whole;

  /** The chunk that the next sequential read takes bytes from. */
  private MemorySegment chunk;

  private int chunkIndex;

  /** Position of the next sequential read, relative to {@link #chunk}. */
  private long chunkPos;

  /** Null unless the kernel loads only what is read, and this input is contiguous. */
  private final @Nullable RunPrefetcher run;

  /** The bounds of the page at which pages were last shown; all positions if none are. */
  private long pageFrom;

  private long pageTo = Long.MAX_VALUE;

  /** Where the bytes begin, up to {@link #chunkPos}, that were read since then. */
  private long unshown;

  private SegmentIndexInput(
      String description,
      MemorySegment[] chunks,
      int chunkShift,
      long start,
      long length,
      Residency residency,
      FileKind kind,
      @Nullable AtomicReference<@Nullable Closeable> owner) {
    super(description);
    this.chunks = chunks;
    this.chunkShift = chunkShift;
    this.start = start;
    this.length = length;
    this.residency = residency;
    this.owner = owner;
    this.kind = kind;
    this.chunk = chunks[0];
    this.chunkPos = start;
    this.whole = chunkShift == Chunks.CONTIGUOUS_SHIFT ? chunk : EMPTY;
    this.run = whole != EMPTY && residency.isRandom(kind) ? new RunPrefetcher() : null;
    if (run != null) {
      enterPage(0);
    }
  }

  /**
   * Returns an input over the chunks of a file.
   *
   * @param chunks as {@link Chunks#of} cuts them; only with a single one can Lucene decode with
   *     SIMD instructions
   * @param chunkBytes power of two
   * @param owner closed once, when the returned input is closed
   */
  public static SegmentIndexInput open(
      String description,
      MemorySegment[] chunks,
      long chunkBytes,
      Residency residency,
      Closeable owner) {
    (chunks.length == 1 ? PathCounter.CONTIGUOUS_INPUT : PathCounter.CHUNKED_INPUT).increment();
    return new SegmentIndexInput(
        description,
        chunks,
        Chunks.shiftOf(chunks, chunkBytes),
        0,
        Chunks.lengthOf(chunks, chunkBytes),
        residency,
        residency.kind(),
        new AtomicReference<>(owner));
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public long getFilePointer() {
    ensureOpen();
    return ((long) chunkIndex << chunkShift) + chunkPos - start;
  }

  @Override
  public void seek(long pos) throws IOException {
    if (whole != EMPTY && pos >= 0 && pos <= length) {
      if (pos < pageFrom || pos > pageTo) {
        leavePage(pos);
      }
      chunkPos = pos;
    } else {
      seekInChunks(pos);
    }
  }

  /** Call before a seek to another page, or after a read of many bytes has ended in one. */
  private void leavePage(long pos) throws IOException {
    RunPrefetcher ahead = run;
    if (ahead != null) {
      show();
      ahead.seek(chunkPos, pos);
      enterPage(pos);
      ahead.reached(pos, this);
    }
  }

  private void enterPage(long pos) {
    pageFrom = pos - (chunk.address() + pos & PAGE_BYTES - 1);
    pageTo = pageFrom + PAGE_BYTES;
    unshown = pos;
  }

  /** Shows the pages that were read since this was last done. */
  private void show() {
    if (chunkPos != unshown) {
      try {
        residency.used(chunk, Math.min(unshown, chunkPos), Math.max(unshown, chunkPos));
      } catch (IndexOutOfBoundsException e) {
        throw closedMeanwhile(e);
      } catch (IllegalStateException e) {
        throw alreadyClosed(e);
      }
    }
  }

  private void seekInChunks(long pos) throws IOException {
    MemorySegment[] all = openChunks();
    if (pos < 0) {
      throw RangeErrors.seekToNegative(pos, this);
    }
    if (pos > length) {
      throw RangeErrors.seekPastEnd(pos, this);
    }
    long at = start + pos;
    int index = Chunks.indexOf(all, chunkShift, at);
    enterChunk(all, index, Chunks.posInChunk(chunkShift, index, at));
  }

  private void enterChunk(MemorySegment[] all, int index, long pos) {
    chunkIndex = index;
    chunk = all[index];
    chunkPos = pos;
    // Against a concurrent close, which empties `chunks` and then `chunk`.
    VarHandle.fullFence();
    if (chunks.length == 0) {
      chunk = EMPTY;
      ensureOpen();
    }
  }

  @Override
  public byte readByte() throws IOException {
    try {
      byte b = chunk.get(BYTE, chunkPos);
      chunkPos++;
      return b;
    } catch (IndexOutOfBoundsException _) {
      return readByteInNextChunk();
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  private byte readByteInNextChunk() throws IOException {
    enterNextChunk();
    try {
      return chunk.get(BYTE, chunkPos++);
    } catch (IndexOutOfBoundsException e) {
      throw closedMeanwhile(e);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  /** Moves from the end of a chunk to the beginning of the next, which has at least one byte. */
  private void enterNextChunk() throws IOException {
    MemorySegment[] all = openChunks();
    if (chunkIndex + 1 >= all.length) {
      throw RangeErrors.readPastEnd(getFilePointer(), 1, this);
    }
    enterChunk(all, chunkIndex + 1, 0);
  }

  @Override
  public void readBytes(byte[] b, int offset, int len) throws IOException {
    try {
      MemorySegment.copy(chunk, BYTE, chunkPos, b, offset, len);
      chunkPos += len;
    } catch (IndexOutOfBoundsException _) {
      readBytesOverChunks(b, offset, len);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
    if (chunkPos > pageTo) {
      leavePage(chunkPos);
    }
  }

  private void readBytesOverChunks(byte[] b, int offset, int len) throws IOException {
    ensureOpen();
    Objects.checkFromIndexSize(offset, len, b.length);
    checkAvailable(len);
    try {
      int done = 0;
      while (done < len) {
        if (chunkPos == chunk.byteSize()) {
          enterNextChunk();
        }
        int n = (int) Math.min(len - done, chunk.byteSize() - chunkPos);
        MemorySegment.copy(chunk, BYTE, chunkPos, b, offset + done, n);
        chunkPos += n;
        done += n;
      }
    } catch (IndexOutOfBoundsException e) {
      throw closedMeanwhile(e);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public short readShort() throws IOException {
    try {
      short v = chunk.get(LittleEndian.SHORT, chunkPos);
      chunkPos += Short.BYTES;
      return v;
    } catch (IndexOutOfBoundsException _) {
      return super.readShort();
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public int readInt() throws IOException {
    try {
      int v = chunk.get(LittleEndian.INT, chunkPos);
      chunkPos += Integer.BYTES;
      return v;
    } catch (IndexOutOfBoundsException _) {
      return super.readInt();
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public long readLong() throws IOException {
    try {
      long v = chunk.get(LittleEndian.LONG, chunkPos);
      chunkPos += Long.BYTES;
      return v;
    } catch (IndexOutOfBoundsException _) {
      return super.readLong();
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  // All DataInputs in the process share the inherited loops. The loops below see this class alone,
  // so the JIT compiler inlines readByte into them.

  @Override
  public int readVInt() throws IOException {
    byte b = readByte();
    int value = b & 0x7F;
    for (int shift = 7; b < 0; shift += 7) {
      b = readByte();
      value |= (b & 0x7F) << shift;
    }
    return value;
  }

  @Override
  public long readVLong() throws IOException {
    byte b = readByte();
    long value = b & 0x7F;
    for (int shift = 7; b < 0; shift += 7) {
      b = readByte();
      value |= (b & 0x7FL) << shift;
    }
    return value;
  }

  @Override
  public void readInts(int[] dst, int offset, int len) throws IOException {
    try {
      MemorySegment.copy(chunk, LittleEndian.INT, chunkPos, dst, offset, len);
      chunkPos += (long) len << 2;
    } catch (IndexOutOfBoundsException _) {
      Objects.checkFromIndexSize(offset, len, dst.length);
      checkAvailable((long) len << 2);
      super.readInts(dst, offset, len);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
    if (chunkPos > pageTo) {
      leavePage(chunkPos);
    }
  }

  @Override
  public void readLongs(long[] dst, int offset, int len) throws IOException {
    try {
      MemorySegment.copy(chunk, LittleEndian.LONG, chunkPos, dst, offset, len);
      chunkPos += (long) len << 3;
    } catch (IndexOutOfBoundsException _) {
      Objects.checkFromIndexSize(offset, len, dst.length);
      checkAvailable((long) len << 3);
      super.readLongs(dst, offset, len);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
    if (chunkPos > pageTo) {
      leavePage(chunkPos);
    }
  }

  @Override
  public void readFloats(float[] dst, int offset, int len) throws IOException {
    try {
      MemorySegment.copy(chunk, LittleEndian.FLOAT, chunkPos, dst, offset, len);
      chunkPos += (long) len << 2;
    } catch (IndexOutOfBoundsException _) {
      Objects.checkFromIndexSize(offset, len, dst.length);
      checkAvailable((long) len << 2);
      super.readFloats(dst, offset, len);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
    if (chunkPos > pageTo) {
      leavePage(chunkPos);
    }
  }

  @Override
  public byte readByte(long pos) throws IOException {
    try {
      MemorySegment segment = whole;
      return segment != EMPTY ? segment.get(BYTE, pos) : chunkAt(pos, 1).get(BYTE, posInChunk(pos));
    } catch (IndexOutOfBoundsException _) {
      throw outOfRange(pos, 1);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public short readShort(long pos) throws IOException {
    try {
      MemorySegment segment = whole;
      if (segment != EMPTY) {
        return segment.get(LittleEndian.SHORT, pos);
      }
      segment = chunkAt(pos, Short.BYTES);
      long at = posInChunk(pos);
      return at + Short.BYTES <= segment.byteSize()
          ? segment.get(LittleEndian.SHORT, at)
          : (short) ((readByte(pos) & 0xFF) | (readByte(pos + 1) & 0xFF) << 8);
    } catch (IndexOutOfBoundsException _) {
      throw outOfRange(pos, Short.BYTES);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public int readInt(long pos) throws IOException {
    try {
      MemorySegment segment = whole;
      if (segment != EMPTY) {
        return segment.get(LittleEndian.INT, pos);
      }
      segment = chunkAt(pos, Integer.BYTES);
      long at = posInChunk(pos);
      return at + Integer.BYTES <= segment.byteSize()
          ? segment.get(LittleEndian.INT, at)
          : (readShort(pos) & 0xFFFF) | (readShort(pos + 2) & 0xFFFF) << 16;
    } catch (IndexOutOfBoundsException _) {
      throw outOfRange(pos, Integer.BYTES);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public long readLong(long pos) throws IOException {
    try {
      MemorySegment segment = whole;
      if (segment != EMPTY) {
        return segment.get(LittleEndian.LONG, pos);
      }
      segment = chunkAt(pos, Long.BYTES);
      long at = posInChunk(pos);
      return at + Long.BYTES <= segment.byteSize()
          ? segment.get(LittleEndian.LONG, at)
          : (readInt(pos) & 0xFFFF_FFFFL) | (readInt(pos + 4) & 0xFFFF_FFFFL) << 32;
    } catch (IndexOutOfBoundsException _) {
      throw outOfRange(pos, Long.BYTES);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public void readBytes(long pos, byte[] bytes, int offset, int len) throws IOException {
    try {
      MemorySegment segment = whole;
      if (segment != EMPTY) {
        MemorySegment.copy(segment, BYTE, pos, bytes, offset, len);
        return;
      }
      ensureOpen();
      Objects.checkFromIndexSize(pos, len, length);
      for (int done = 0; done < len; ) {
        segment = chunkAt(pos + done, 1);
        long at = posInChunk(pos + done);
        int n = (int) Math.min(len - done, segment.byteSize() - at);
        MemorySegment.copy(segment, BYTE, at, bytes, offset + done, n);
        done += n;
      }
    } catch (IndexOutOfBoundsException _) {
      Objects.checkFromIndexSize(offset, len, bytes.length);
      throw outOfRange(pos, len);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  /** The chunk that holds the byte at {@code pos}, for a read of {@code bytes} within the input. */
  private MemorySegment chunkAt(long pos, int bytes) {
    MemorySegment[] all = openChunks();
    Objects.checkFromIndexSize(pos, bytes, length);
    return all[(int) ((start + pos) >>> chunkShift)];
  }

  private long posInChunk(long pos) {
    return (start + pos) & ((1L << chunkShift) - 1);
  }

  @Override
  public @Nullable MemorySegment segmentSliceOrNull(long pos, long len) throws IOException {
    MemorySegment[] all = openChunks();
    if ((pos | len) < 0 || pos > length - len) {
      throw outOfRange(pos, len);
    }
    try {
      return Chunks.rangeOrNull(all, chunkShift, start + pos, len);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public void prefetch(long offset, long len) throws IOException {
    ensureOpen();
    Objects.checkFromIndexSize(offset, len, length);
    if (residency != Residency.RESIDENT && !PrefetchCapture.takes(this, offset, len)) {
      forEachRange(offset, len, residency::prefetch);
    }
  }

  /**
   * Does nothing: Lucene announces the reads of a merge on an input that searches share, and the
   * kernel detects sequential reads by itself.
   */
  @Override
  public void updateIOContext(IOContext context) {
    ensureOpen();
  }

  /** True if all bytes are likely in physical memory. Takes time in proportion to the length. */
  @Override
  public Optional<Boolean> isLoaded() {
    ensureOpen();
    List<Optional<Boolean>> answers = new ArrayList<>();
    try {
      forEachRange(0, length, range -> answers.add(residency.isLoaded(range)));
    } catch (IOException _) {
      return Optional.empty();
    }
    if (answers.contains(Optional.of(false))) {
      return Optional.of(false);
    }
    return answers.contains(Optional.<Boolean>empty()) ? Optional.empty() : Optional.of(true);
  }

  private void forEachRange(long offset, long len, IOConsumer<MemorySegment> action)
      throws IOException {
    MemorySegment[] all = openChunks();
    try {
      Chunks.forEachRange(all, chunkShift, start + offset, len, action);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  @Override
  public SegmentIndexInput clone() {
    MemorySegment[] all = openChunks();
    SegmentIndexInput clone =
        new SegmentIndexInput(toString(), all, chunkShift, start, length, residency, kind, null);
    clone.chunk = all[chunkIndex];
    clone.chunkIndex = chunkIndex;
    clone.chunkPos = chunkPos;
    if (clone.run != null) {
      clone.enterPage(chunkPos);
      clone.run.start(chunkPos);
    }
    return clone;
  }

  @Override
  public SegmentIndexInput slice(String sliceDescription, long offset, long len) {
    return slice(sliceDescription, offset, len, kind);
  }

  private SegmentIndexInput slice(String sliceDescription, long offset, long len, FileKind part) {
    MemorySegment[] all = openChunks();
    if ((offset | len) < 0 || offset > length - len) {
      throw RangeErrors.sliceOutOfRange(sliceDescription, offset, len, this);
    }
    String description = getFullSliceDescription(sliceDescription);
    try {
      MemorySegment[] cut = Chunks.slice(all, chunkShift, start + offset, len);
      // A slice that lies within one chunk is contiguous, whatever its file is.
      return cut.length == 1
          ? new SegmentIndexInput(
              description, cut, Chunks.CONTIGUOUS_SHIFT, 0, len, residency, part, null)
          : new SegmentIndexInput(
              description, cut, chunkShift, posInChunk(offset), len, residency, part, null);
    } catch (IllegalStateException e) {
      throw alreadyClosed(e);
    }
  }

  /** A file within a compound file. */
  @Override
  public SegmentIndexInput slice(String sliceDescription, long offset, long len, IOContext context)
      throws IOException {
    FileKind part = FileKind.of(sliceDescription, context);
    SegmentIndexInput slice = slice(sliceDescription, offset, len, part);
    if (residency != Residency.RESIDENT) {
      slice.forEachRange(0, len, range -> residency.advise(range, sliceDescription, context));
    }
    return slice;
  }

  /**
   * Closes this input; if it is the one that a directory opened, also releases the file. Does
   * nothing if it is closed already.
   */
  @Override
  public void close() throws IOException {
    chunks = CLOSED;
    VarHandle.fullFence();
    whole = EMPTY;
    chunk = EMPTY;
    Closeable releases = owner == null ? null : owner.getAndSet(null);
    if (releases != null) {
      releases.close();
    }
  }

  private void ensureOpen() {
    openChunks();
  }

  /** The current chunks: another thread may close this input at any moment. */
  private MemorySegment[] openChunks() {
    MemorySegment[] all = chunks;
    if (all.length == 0) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
    return all;
  }

  /** Why a read within checked bounds failed. */
  private RuntimeException closedMeanwhile(IndexOutOfBoundsException cause) {
    ensureOpen();
    return cause;
  }

  private AlreadyClosedException alreadyClosed(IllegalStateException cause) {
    return new AlreadyClosedException("Already closed: " + this, cause);
  }

  private void checkAvailable(long bytes) throws IOException {
    ensureOpen();
    long pos = getFilePointer();
    if (bytes > length - pos) {
      throw RangeErrors.readPastEnd(pos, bytes, this);
    }
  }

  /** Why the segment refused a positional read. */
  private RuntimeException outOfRange(long pos, long bytes) throws IOException {
    ensureOpen();
    if (pos < 0) {
      throw RangeErrors.readAtNegative(pos, this);
    }
    throw RangeErrors.readPastEnd(pos, bytes, this);
  }
}
