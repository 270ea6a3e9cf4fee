package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/** An input that is closed in the middle of a read. */
public class BlockIndexInputTest extends LibraryTestCase {

  /** Closes an input while it reads. */
  private static final class ClosingFile implements PositionalFile {
    private @Nullable BlockIndexInput closes;

    @Override
    public void read(long pos, byte[] target, int offset, int length) throws IOException {
      if (closes != null) {
        closes.close();
      }
    }

    @Override
    public void read(long pos, MemorySegment target) {
      throw new AssertionError();
    }

    @Override
    public long length() {
      return 100;
    }

    // As a file on which a read is under way.

    @Override
    public void ensureOpen() {}

    @Override
    public void close() {}

    @Override
    public void prefetch(long pos, long length) {}

    @Override
    public Optional<Boolean> isLoaded(long pos, long length) {
      return Optional.empty();
    }
  }

  public void testClosedDuringRead() throws IOException {
    ClosingFile file = new ClosingFile();
    BlockIndexInput in =
        new BlockIndexInput(
            "in memory", "_0.doc", file, ReadSizes.DEFAULT, null, IOContext.DEFAULT);
    file.closes = in;
    expectThrows(AlreadyClosedException.class, in::readByte);
    file.closes = null;
    expectThrows(AlreadyClosedException.class, in::readByte);
    expectThrows(AlreadyClosedException.class, () -> in.readByte(1));
  }
}
