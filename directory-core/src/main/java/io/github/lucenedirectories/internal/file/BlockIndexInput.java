// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.Events;
import io.github.lucenedirectories.internal.os.Events.SlowRead;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import io.github.lucenedirectories.internal.store.IoRecorder.Metric;
import io.github.lucenedirectories.internal.store.LittleEndian;
import io.github.lucenedirectories.internal.store.PrefetchCapture;
import io.github.lucenedirectories.internal.store.RangeErrors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file by blocks at given positions.
 *
 * <p>Each input, clone and slice keeps the block it read last on the heap, so nearby small reads
 * share one system call; a long read bypasses the block. Like every {@code IndexInput} it serves
 * one thread at a time; take a clone or a slice for another thread. Only the input that a directory
 * opened needs to be closed; any thread may do so, even during a read.
 *
 * <p>Once closed, an input throws {@link AlreadyClosedException}. So do its clones and slices,
 * except that they may still return bytes of the block that they read last.
 */
public final class BlockIndexInput extends IndexInput implements RandomAccessInput {

  /*
   * The block begins at `blockStart`, independently of the position, so positional and sequential
   * reads share the block without further state. The table of recent blocks serves reads that do
   * not continue where the last one ended.
   */

  private static final byte[] NO_BLOCK = {};

  private final OpenFile file;

  private final long start;

  private final long length;
  private final boolean ownsFile;

  private long pos;

  /** The bytes that were read last, from index 0 on. */
  private byte[] block = NO_BLOCK;

  /** Position in this input of the first byte of {@link #block}. */
  private long blockStart;

  /** How many bytes of {@link #block} are valid. */
  private int blockBytes;

  private final ReadRun run;

  private final FileKind kind;

  /** Whether Lucene says that this is read from end to end: caches should not keep a scan. */
  private volatile boolean stream;

  private volatile boolean closed;

  /** State that the input opened by a directory shares with its clones and slices. */
  private record OpenFile(
      PositionalFile bytes, PositionalFile streamed, long number, @Nullable RecentBlocks recent) {}

  /**
   * Takes over the file: closing this input closes it.
   *
   * @param name the file's name, which determines its kind together with the context
   * @param recent blocks of the length of a random read, shared by a directory's inputs; null for
   *     none, and the default length
   */
  public BlockIndexInput(
      String description,
      String name,
      PositionalFile file,
      @Nullable RecentBlocks recent,
      IOContext context) {
    this(
        description,
        new OpenFile(file, file.streamed(), RecentBlocks.newFile(), recent),
        FileKind.of(name, context),
        FileKind.isStream(context),
        0,
        file.length(),
        true);
  }

  /**
   * Opens a file of a file system.
   *
   * @param recent as for the constructor
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static BlockIndexInput open(Path path, @Nullable RecentBlocks recent, IOContext context)
      throws IOException {
    return open(path, PositionalFile.open(path), recent, context);
  }

  /**
   * As {@link #open}, for a file that is read once, from beginning to end. It is read through the
   * JDK: linking native calls would take longer than reading such files at a process's first open.
   */
  public static BlockIndexInput openOnce(Path path, IOContext context) throws IOException {
    return open(path, ChannelFile.open(path), null, context);
  }

  private static BlockIndexInput open(
      Path path, PositionalFile file, @Nullable RecentBlocks recent, IOContext context)
      throws IOException {
    try {
      file.takeOverReadAhead();
      return new BlockIndexInput(
          "BlockIndexInput(path=\"" + path + "\")",
          path.getFileName().toString(),
          file,
          recent,
          context);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(file);
      throw t;
    }
  }

  /** The underlying file; closing it closes this input. */
  public PositionalFile file() {
    return file.bytes;
  }

  private BlockIndexInput(
      String description,
      OpenFile file,
      FileKind kind,
      boolean stream,
      long start,
      long length,
      boolean ownsFile) {
    super(description);
    this.file = file;
    this.kind = kind;
    this.stream = stream;
    this.start = start;
    this.length = length;
    this.ownsFile = ownsFile;
    this.run =
        new ReadRun(
            file.recent == null ? RecentBlocks.DEFAULT_BLOCK_BYTES : 1 << file.recent.blockShift());
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public long getFilePointer() {
    ensureOpen();
    return pos;
  }

  @Override
  public void seek(long target) throws IOException {
    if (target < 0) {
      throw RangeErrors.seekToNegative(target, this);
    }
    if (target > length) {
      throw RangeErrors.seekPastEnd(target, this);
    }
    pos = target;
  }

  /**
   * Ensures that the block holds {@code bytes} bytes from {@code at} on, and returns the index of
   * the first of them.
   */
  private int locate(long at, int bytes) throws IOException {
    long index = at - blockStart;
    // A block may begin before this input does.
    if ((index | at) < 0 || index > blockBytes - bytes) {
      fill(at, bytes);
      index = at - blockStart;
    }
    return (int) index;
  }

  private void fill(long at, int bytes) throws IOException {
    checkRange(at, bytes);
    file.bytes.ensureOpen();
    boolean continues = run.continues(at, bytes);
    if (!(continues && run.isLong(bytes))
        && file.recent != null
        && fillFromRecent(file.recent, at, bytes, continues)) {
      return;
    }
    int size = Math.max(run.nextBytes(continues), bytes);
    long from = at;
    if (!continues && at < blockStart && at >= blockStart - size) {
      // A backward read, as in a search of sorted data: load the bytes before it, too.
      from = Math.max(0, at + bytes - size);
    }
    int n = (int) Math.min(size, length - from);
    beginBlock(n);
    read(from, block, 0, n, continues);
    endBlock(from, n);
  }

  private void read(long from, byte[] target, int offset, int bytes, boolean continues)
      throws IOException {
    PositionalFile source = continues && stream && run.isLong(bytes) ? file.streamed : file.bytes;
    if (continues) {
      run.readAhead(source, start + from, bytes, start + length);
    } else {
      run.restart();
    }
    run.grow(bytes);
    readFile(source, start + from, target, offset, bytes);
  }

  private void readFile(PositionalFile source, long at, byte[] target, int offset, int bytes)
      throws IOException {
    if (source.countsReads()) {
      IoRecorder.add(kind, Metric.READS, 1);
      IoRecorder.add(kind, Metric.READ_BYTES, bytes);
    }
    if (source.readsMemory()) {
      source.read(at, target, offset, bytes);
      return;
    }
    long begun = IoRecorder.isOn() ? System.nanoTime() : 0;
    if (Events.isRecorderReady()) {
      readWithEvent(source, at, target, offset, bytes);
    } else {
      source.read(at, target, offset, bytes);
    }
    IoRecorder.add(kind, Metric.READ_SECONDS, begun == 0 ? 0 : System.nanoTime() - begun);
  }

  private void readWithEvent(PositionalFile source, long at, byte[] target, int offset, int bytes)
      throws IOException {
    SlowRead event = new SlowRead();
    event.begin();
    try {
      source.read(at, target, offset, bytes);
    } finally {
      event.end();
      if (event.shouldCommit()) {
        event.what = bytes + " bytes at " + at + " of " + this;
        event.commit();
      }
    }
  }

  /**
   * Takes the block from the table of recent blocks, or, for a random read, reads it and adds it.
   * Returns false if the bytes do not lie in one block of the table, or if reading ahead is better.
   */
  private boolean fillFromRecent(RecentBlocks recent, long at, int bytes, boolean continues)
      throws IOException {
    int shift = recent.blockShift();
    long number = (start + at) >>> shift;
    if ((start + at + bytes - 1) >>> shift != number) {
      return false;
    }
    // The block may begin before this input, and end after it.
    long from = (number << shift) - start;
    int n = (int) Math.min(1L << shift, file.bytes.length() - (number << shift));
    if (!continues) {
      run.restart();
    }
    beginBlock(n);
    if (!recent.find(file.number, number, block, n)) {
      if (continues) {
        return false;
      }
      readFile(file.bytes, start + from, block, 0, n);
      recent.add(file.number, number, block, n);
    } else {
      IoRecorder.add(kind, Metric.READ_HITS, 1);
    }
    endBlock(from, (int) Math.min(n, length - from));
    return true;
  }

  /** Makes room for the bytes that are about to be written to the block. */
  private void beginBlock(int bytes) {
    blockBytes = 0;
    if (block.length < bytes) {
      block = new byte[bytes];
    }
  }

  private void endBlock(long from, int n) {
    blockStart = from;
    blockBytes = n;
    run.endedAt(from + n);
    // Against a concurrent close, which sets `closed` and then empties the block.
    VarHandle.fullFence();
    if (closed) {
      blockBytes = 0;
      ensureOpen();
    }
  }

  private void checkRange(long at, long bytes) throws IOException {
    ensureOpen();
    if (at < 0) {
      throw RangeErrors.readAtNegative(at, this);
    }
    if (bytes > length - at) {
      throw RangeErrors.readPastEnd(at, bytes, this);
    }
  }

  @Override
  public byte readByte() throws IOException {
    int i = locate(pos, 1);
    pos++;
    return block[i];
  }

  @Override
  public short readShort() throws IOException {
    int i = locate(pos, Short.BYTES);
    pos += Short.BYTES;
    return (short) BitUtil.VH_LE_SHORT.get(block, i);
  }

  @Override
  public int readInt() throws IOException {
    int i = locate(pos, Integer.BYTES);
    pos += Integer.BYTES;
    return (int) BitUtil.VH_LE_INT.get(block, i);
  }

  @Override
  public long readLong() throws IOException {
    int i = locate(pos, Long.BYTES);
    pos += Long.BYTES;
    return (long) BitUtil.VH_LE_LONG.get(block, i);
  }

  // As in SegmentIndexInput, these two are not the inherited loops, so that they are compiled for
  // this class alone.

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
  public void readBytes(byte[] b, int offset, int len) throws IOException {
    readBytes(pos, b, offset, len);
    pos += len;
  }

  @Override
  public void readBytes(long at, byte[] b, int offset, int len) throws IOException {
    Objects.checkFromIndexSize(offset, len, b.length);
    long index = at - blockStart;
    int fromBlock = 0;
    // Read once: a close in another thread makes it 0.
    int valid = blockBytes;
    if ((index | at) >= 0 && index < valid) {
      fromBlock = (int) Math.min(len, valid - index);
      System.arraycopy(block, (int) index, b, offset, fromBlock);
    }
    int rest = len - fromBlock;
    if (rest == 0) {
      if (len == 0) {
        checkRange(at, 0);
      }
      return;
    }
    long restAt = at + fromBlock;
    checkRange(restAt, rest);
    boolean continues = run.continues(restAt, rest);
    if (rest >= run.nextBytes(continues)) {
      read(restAt, b, offset + fromBlock, rest, continues);
      run.endedAt(restAt + rest);
      ensureOpen();
    } else {
      // Not in the argument list: filling may replace the block.
      int i = locate(restAt, rest);
      System.arraycopy(block, i, b, offset + fromBlock, rest);
    }
  }

  @Override
  public void readInts(int[] dst, int offset, int len) throws IOException {
    Objects.checkFromIndexSize(offset, len, dst.length);
    readValues(LittleEndian.INT, dst, offset, len);
  }

  @Override
  public void readLongs(long[] dst, int offset, int len) throws IOException {
    Objects.checkFromIndexSize(offset, len, dst.length);
    readValues(LittleEndian.LONG, dst, offset, len);
  }

  @Override
  public void readFloats(float[] dst, int offset, int len) throws IOException {
    Objects.checkFromIndexSize(offset, len, dst.length);
    readValues(LittleEndian.FLOAT, dst, offset, len);
  }

  /** Reads values into an array of the layout's type, as many at a time as a block may hold. */
  private void readValues(ValueLayout layout, Object dst, int offset, int len) throws IOException {
    int valueBytes = (int) layout.byteSize();
    checkRange(pos, (long) len * valueBytes);
    for (int done = 0; done < len; ) {
      int n = Math.min(len - done, run.largest(false) / valueBytes);
      // Not in the argument list: filling may replace the block.
      int at = locate(pos, n * valueBytes);
      MemorySegment.copy(MemorySegment.ofArray(block), layout, at, dst, offset + done, n);
      pos += (long) n * valueBytes;
      done += n;
    }
  }

  @Override
  public byte readByte(long at) throws IOException {
    int i = locate(at, 1);
    return block[i];
  }

  @Override
  public short readShort(long at) throws IOException {
    int i = locate(at, Short.BYTES);
    return (short) BitUtil.VH_LE_SHORT.get(block, i);
  }

  @Override
  public int readInt(long at) throws IOException {
    int i = locate(at, Integer.BYTES);
    return (int) BitUtil.VH_LE_INT.get(block, i);
  }

  @Override
  public long readLong(long at) throws IOException {
    int i = locate(at, Long.BYTES);
    return (long) BitUtil.VH_LE_LONG.get(block, i);
  }

  @Override
  public void prefetch(long offset, long len) throws IOException {
    ensureOpen();
    file.bytes.ensureOpen();
    Objects.checkFromIndexSize(offset, len, length);
    long index = offset - blockStart;
    if (len > 0
        && !PrefetchCapture.takes(this, offset, len)
        && (index < 0 || index + len > blockBytes)) {
      file.bytes.prefetch(kind, start + offset, len);
    }
  }

  /**
   * Notes whether long runs of reads are scans that a cache should not keep. The read size depends
   * on the reads alone, since Lucene announces a merge's reads of vectors on the input that
   * searches share.
   */
  @Override
  public void updateIOContext(IOContext context) {
    ensureOpen();
    stream = FileKind.isStream(context);
  }

  @Override
  public BlockIndexInput clone() {
    ensureOpen();
    BlockIndexInput clone =
        new BlockIndexInput(toString(), file, kind, stream, start, length, false);
    clone.pos = pos;
    return clone;
  }

  @Override
  public BlockIndexInput slice(String sliceDescription, long offset, long len) {
    return slice(sliceDescription, offset, len, kind, stream);
  }

  /** A file within a compound file; a short one is prefetched whole, like a file of its own. */
  @Override
  public BlockIndexInput slice(String sliceDescription, long offset, long len, IOContext context) {
    FileKind kindOfSlice = FileKind.of(sliceDescription, context);
    boolean streamOfSlice = FileKind.isStream(context);
    BlockIndexInput slice = slice(sliceDescription, offset, len, kindOfSlice, streamOfSlice);
    if (len > 0 && len <= ReadRun.SHORT_BYTES) {
      file.bytes.readAhead(slice.start, len);
    }
    return slice;
  }

  private BlockIndexInput slice(
      String sliceDescription, long offset, long len, FileKind kindOfSlice, boolean streamOfSlice) {
    ensureOpen();
    if ((offset | len) < 0 || offset > length - len) {
      throw RangeErrors.sliceOutOfRange(sliceDescription, offset, len, this);
    }
    String description = getFullSliceDescription(sliceDescription);
    return new BlockIndexInput(
        description, file, kindOfSlice, streamOfSlice, start + offset, len, false);
  }

  /** Closes this input; if it is the one that a directory opened, also the file. */
  @Override
  public void close() throws IOException {
    closed = true;
    blockBytes = 0;
    if (ownsFile) {
      file.bytes.close();
    }
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }
}
