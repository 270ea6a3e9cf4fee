package io.github.lucenedirectories.mmap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read in the better of two ways, mapped or by positions, whichever that is at the
 * moment.
 *
 * <p>Clones and slices are inputs of the one way or the other, chosen when they are taken, for
 * good. Lucene takes one for each query, so that a choice for a file that stays open for days is
 * felt at once, and the inner loops of queries see no other classes than without the choice. A
 * slice with a context is a file within a compound file, stays open as long, and has the choice
 * again. What the input itself reads (headers and checksums, mostly) it reads in the way that was
 * the better one when it was opened.
 *
 * <p>The second way is opened when it is first chosen. Where that fails, since the file or the
 * directory is gone by then, or the system allows no more open files, the first one serves on.
 */
final class HybridIndexInput extends IndexInput {

  /** Opens a file in one way or the other. */
  interface Opener {
    IndexInput open(boolean byPositions) throws IOException;
  }

  /** Opens a file, or a slice, in the way that it is not open in yet. */
  private interface OtherOpener {
    IndexInput open() throws IOException;
  }

  private final IndexInput own;
  private final boolean ownByPositions;
  private final IOContext context;
  private final Predicate<IOContext> byPositions;
  private final OtherOpener opener;

  /** The other way: null until it is chosen, {@link #own} if there is none. Set under the lock. */
  private volatile @Nullable IndexInput other;

  /** What the input was told after it was opened, which the other way must know as well. */
  private @Nullable IOContext told;

  private HybridIndexInput(
      IndexInput own,
      boolean ownByPositions,
      IOContext context,
      Predicate<IOContext> byPositions,
      OtherOpener opener) {
    super(own.toString());
    this.own = own;
    this.ownByPositions = ownByPositions;
    this.context = context;
    this.byPositions = byPositions;
    this.opener = opener;
  }

  /**
   * Opens a file.
   *
   * @param byPositions the way that is the better one now
   * @param better whether files that were opened with a context are better read by positions, asked
   *     for every clone and slice
   * @param opener asked for either way once at most
   */
  static HybridIndexInput open(
      Path file, IOContext context, boolean byPositions, Predicate<IOContext> better, Opener opener)
      throws IOException {
    FileIdentity identity = FileIdentity.of(file);
    IndexInput own = opener.open(byPositions);
    boolean known = identity.holds();
    return new HybridIndexInput(
        own,
        byPositions,
        context,
        better,
        () -> {
          if (known && identity.holds()) {
            IndexInput again = opener.open(!byPositions);
            if (identity.holds() && again.length() == own.length()) {
              return again;
            }
            again.close();
          }
          throw new NoSuchFileException(
              file.toString(), null, "another file has its name now, or it became shorter");
        });
  }

  /*
   * By the context of the opening, not by what updateIOContext told: Lucene tells it to readers that
   * queries share, when a merge begins to read their vectors, and for queries the other way could be
   * ten times slower.
   */
  private IndexInput better() {
    if (byPositions.test(context) == ownByPositions) {
      return own;
    }
    IndexInput known = other;
    return known == null ? openOtherOnce() : known;
  }

  private synchronized IndexInput openOtherOnce() {
    IndexInput known = other;
    if (known == null) {
      known = openOther();
      other = known;
    }
    return known;
  }

  private IndexInput openOther() {
    IndexInput opened = null;
    try {
      opened = opener.open();
      if (told != null) {
        opened.updateIOContext(told);
      }
      return opened;
    } catch (IOException | RuntimeException _) {
      // The way that is open already is slower, no worse.
      IOUtils.closeWhileHandlingException(opened);
      return own;
    }
  }

  @Override
  public IndexInput clone() {
    IndexInput better = better();
    IndexInput clone = better.clone();
    if (better != own) {
      try {
        clone.seek(own.getFilePointer());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return clone;
  }

  @Override
  public IndexInput slice(String sliceDescription, long offset, long length) throws IOException {
    return better().slice(sliceDescription, offset, length);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    return better().randomAccessSlice(offset, length);
  }

  @Override
  public IndexInput slice(String sliceDescription, long offset, long length, IOContext ofSlice)
      throws IOException {
    return new HybridIndexInput(
        own.slice(sliceDescription, offset, length, ofSlice),
        ownByPositions,
        ofSlice,
        byPositions,
        () -> openOtherOnce().slice(sliceDescription, offset, length, ofSlice));
  }

  @Override
  public void updateIOContext(IOContext changed) throws IOException {
    own.updateIOContext(changed);
    IndexInput opened;
    synchronized (this) {
      told = changed;
      opened = other;
    }
    if (opened != null && opened != own) {
      opened.updateIOContext(changed);
    }
  }

  @Override
  public void close() throws IOException {
    IndexInput opened;
    synchronized (this) {
      opened = other;
      other = own;
    }
    IOUtils.close(own, opened);
  }

  // What follows is the input's own reading.

  @Override
  public long length() {
    return own.length();
  }

  @Override
  public long getFilePointer() {
    return own.getFilePointer();
  }

  @Override
  public void seek(long pos) throws IOException {
    own.seek(pos);
  }

  @Override
  public void skipBytes(long count) throws IOException {
    own.skipBytes(count);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    own.prefetch(offset, length);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return own.isLoaded();
  }

  @Override
  public byte readByte() throws IOException {
    return own.readByte();
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length) throws IOException {
    own.readBytes(bytes, offset, length);
  }

  @Override
  public short readShort() throws IOException {
    return own.readShort();
  }

  @Override
  public int readInt() throws IOException {
    return own.readInt();
  }

  @Override
  public long readLong() throws IOException {
    return own.readLong();
  }

  @Override
  public int readVInt() throws IOException {
    return own.readVInt();
  }

  @Override
  public long readVLong() throws IOException {
    return own.readVLong();
  }

  @Override
  public void readInts(int[] target, int offset, int length) throws IOException {
    own.readInts(target, offset, length);
  }

  @Override
  public void readLongs(long[] target, int offset, int length) throws IOException {
    own.readLongs(target, offset, length);
  }

  @Override
  public void readFloats(float[] target, int offset, int length) throws IOException {
    own.readFloats(target, offset, length);
  }
}
