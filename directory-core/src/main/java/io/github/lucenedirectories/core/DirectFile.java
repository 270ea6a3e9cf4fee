package io.github.lucenedirectories.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file from end to end past the page cache, with the next blocks on their way, so that what
 * queries need stays in memory.
 *
 * <p>Where the file system knows no direct reads, it reads as the file does that it was made for.
 */
final class DirectFile implements PositionalFile {

  private final NativeFile file;
  private final DirectBlocks blocks;

  /** Null before the first read, and for good where direct reads are refused. */
  private @Nullable NativeFile direct;

  private boolean tried;

  /**
   * Another way to read an open file.
   *
   * @param file who else reads it, and closes this
   */
  DirectFile(NativeFile file, DirectBlocks blocks) {
    this.file = file;
    this.blocks = blocks;
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public void ensureOpen() {
    file.ensureOpen();
  }

  @Override
  public void read(long pos, byte[] target, int offset, int length) throws IOException {
    ensureOpen();
    for (int done = 0; done < length; ) {
      long at = pos + done;
      int from = (int) (at % DirectBlocks.BLOCK_BYTES);
      int n = Math.min(length - done, DirectBlocks.BLOCK_BYTES - from);
      if (direct() == null
          || !blocks.read(this, at / DirectBlocks.BLOCK_BYTES, from, target, offset + done, n)) {
        file.read(at, target, offset + done, n);
      }
      done += n;
    }
  }

  @Override
  public void read(long pos, MemorySegment target) throws IOException {
    file.read(pos, target);
  }

  /** Does nothing: the next blocks are on their way without it. */
  @Override
  public void prefetch(long pos, long length) {}

  /** The next blocks are on their way without it, unless direct reads are refused. */
  @Override
  public boolean readAhead(long pos, long length) {
    return direct() != null || file.readAhead(pos, length);
  }

  @Override
  public Optional<Boolean> isLoaded(long pos, long length) {
    return file.isLoaded(pos, length);
  }

  private synchronized @Nullable NativeFile direct() {
    if (!tried) {
      tried = true;
      try {
        direct = file.openDirect();
      } catch (IOException _) {
        // The file system knows no direct reads: this reads through the cache.
      }
    }
    return direct;
  }

  /**
   * Fills a block, or as much of it as the file has bytes, and returns how many these are.
   *
   * @param pos multiple of {@link FileCalls#DIRECT_BYTES}
   */
  int load(long pos, MemorySegment block) throws IOException {
    int length = (int) Math.min(block.byteSize(), length() - pos);
    NativeFile source = direct();
    try {
      if (source != null && loadDirect(source, pos, block, length)) {
        return length;
      }
    } catch (IOException _) {
      // A device may ask for larger blocks; for any other trouble the next line has an exception.
    }
    file.read(pos, block.asSlice(0, length));
    return length;
  }

  private static boolean loadDirect(NativeFile source, long pos, MemorySegment block, int length)
      throws IOException {
    for (int done = 0; done < length; ) {
      // From the last place where a direct read may begin.
      int begin = done & -FileCalls.DIRECT_BYTES;
      int read = source.readOnce(pos + begin, block.asSlice(begin));
      PageCacheReads.addDirect(read);
      int end = begin + read;
      if (end <= done) {
        return false;
      }
      done = end;
    }
    return true;
  }

  @Override
  public void close() {
    NativeFile opened;
    synchronized (this) {
      tried = true;
      opened = direct;
    }
    if (opened != null) {
      opened.close();
      blocks.drop(this);
    }
  }

  @Override
  public String toString() {
    return "DirectFile(" + file + ")";
  }
}
