package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read either mapped or by positions, whichever is currently better.
 *
 * <p>A clone or slice uses one of the two modes, which is chosen when it is created and never
 * changes. Lucene creates one for each query, so a new choice takes effect at once even for a file
 * that stays open for days, and the inner loops of queries see no additional classes. A slice with
 * a context is a file within a compound file; it stays open as long, and chooses again for each of
 * its clones and slices. The input itself, which mostly reads headers and checksums, uses the mode
 * that was better when it was opened.
 *
 * <p>The second mode is opened when it is first chosen. If that fails, because the file or the
 * directory is gone or the system allows no more open files, the first one stays in use.
 */
final class HybridIndexInput extends FilterIndexInput {

  /** Whether a file is currently better read by positions. */
  interface Better {
    boolean byPositions(FileKind kind, boolean merge);
  }

  interface Opener {
    IndexInput open(boolean byPositions) throws IOException;
  }

  private final boolean ownByPositions;
  private final FileKind kind;
  private final boolean merge;
  private final Better better;

  /** Opens the file, or the slice, in the other mode. */
  private final IOSupplier<IndexInput> opener;

  private final Runnable whenClosed;

  /** The other mode: null until it is chosen, {@link #in} if there is none. Set under the lock. */
  private volatile @Nullable IndexInput other;

  private HybridIndexInput(
      IndexInput own,
      boolean ownByPositions,
      FileKind kind,
      boolean merge,
      Better better,
      IOSupplier<IndexInput> opener,
      Runnable whenClosed) {
    super(own.toString(), own);
    this.ownByPositions = ownByPositions;
    this.kind = kind;
    this.merge = merge;
    this.better = better;
    this.opener = opener;
    this.whenClosed = whenClosed;
  }

  /**
   * Opens a file.
   *
   * @param byPositions whether positional reads are better now
   * @param better called for every clone and slice
   * @param opener called at most once for each mode
   * @param whenClosed runs when the input is closed
   */
  static HybridIndexInput open(
      FileIdentity identity,
      FileKind kind,
      IOContext context,
      boolean byPositions,
      Better better,
      Opener opener,
      Runnable whenClosed)
      throws IOException {
    IndexInput own = opener.open(byPositions);
    boolean known = identity.holds();
    return new HybridIndexInput(
        own,
        byPositions,
        kind,
        FileKind.isMerge(context),
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
              identity.toString(), null, "another file has its name now, or it became shorter");
        },
        whenClosed);
  }

  private IndexInput better() {
    if (better.byPositions(kind, merge) == ownByPositions) {
      return in;
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
    try {
      return opener.get();
    } catch (IOException | RuntimeException _) {
      // The mode that is already open is slower, but works.
      return in;
    }
  }

  @Override
  public IndexInput clone() {
    IndexInput better = better();
    IndexInput clone = better.clone();
    if (better != in) {
      try {
        clone.seek(in.getFilePointer());
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
        in.slice(sliceDescription, offset, length, ofSlice),
        ownByPositions,
        FileKind.of(sliceDescription, ofSlice),
        FileKind.isMerge(ofSlice),
        better,
        () -> openOtherOnce().slice(sliceDescription, offset, length, ofSlice),
        () -> {});
  }

  /** Passed on to the first mode only: the other one is for reads that Lucene did not announce. */
  @Override
  public void updateIOContext(IOContext changed) throws IOException {
    in.updateIOContext(changed);
  }

  @Override
  public void close() throws IOException {
    IndexInput opened;
    synchronized (this) {
      opened = other;
      other = in;
    }
    whenClosed.run();
    IOUtils.close(in, opened);
  }

  // Reads of the input itself.

  @Override
  public void skipBytes(long count) throws IOException {
    in.skipBytes(count);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    in.prefetch(offset, length);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return in.isLoaded();
  }

  @Override
  public short readShort() throws IOException {
    return in.readShort();
  }

  @Override
  public int readInt() throws IOException {
    return in.readInt();
  }

  @Override
  public long readLong() throws IOException {
    return in.readLong();
  }
}
