// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.nio;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.RecentBlocks;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.LockFactory;

/**
 * A directory on a file system that uses positional reads and maps no files.
 *
 * {@snippet :
 * try (Directory directory = new NioDirectory(path);
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   new IndexSearcher(reader).search(MatchAllDocsQuery.INSTANCE, 10);
 * }
 * }
 *
 * <p>Reads need no address space and cause no page faults, so the directory stays fast when the
 * memory limit is smaller than the index. Reads use native {@code pread} on 64-bit Linux, else
 * {@code FileChannel}; {@link #toString} says which. Interrupts do not affect either, and readers
 * of one file do not wait for each other. A short read loads one block of a fixed size; sequential
 * reads load increasingly more. Lucene cannot decode with SIMD instructions from this directory.
 *
 * <p>A file is durable after {@link #sync}, its name after {@link #syncMetaData}. A file that
 * cannot be deleted because it is open is no longer listed and is deleted later. A name that is
 * empty, {@code .} or {@code ..}, or holds a slash, a backslash or NUL, is refused with {@link
 * IllegalArgumentException}. All methods may be called from any thread. Close the directory after
 * its inputs; it holds no resource of its own.
 */
@SuppressWarnings("exports") // users see the methods of FSDirectory
public final class NioDirectory extends FileDirectory {

  private final int blockBytes;
  private final long directBytes;

  /** Opens a directory in a folder, created if missing, with the default lock factory. */
  public NioDirectory(Path path) throws IOException {
    this(builder(path));
  }

  /** Opens a directory in a folder, which is created if missing. */
  public NioDirectory(Path path, LockFactory lockFactory) throws IOException {
    this(builder(path).lockFactory(lockFactory));
  }

  private NioDirectory(Builder builder) throws IOException {
    RecentBlocks recent = RecentBlocks.ofBytes(builder.blockBytes);
    long direct = builder.directBytes;
    super(
        builder.path,
        builder.lockFactory,
        (file, context) -> BlockIndexInput.open(file, recent, context),
        () -> direct);
    blockBytes = builder.blockBytes;
    directBytes = direct;
  }

  /** A builder with the defaults of {@link #NioDirectory(Path)}. */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  /** Says where the files are, and how they are read. */
  @Override
  public String toString() {
    return super.toString()
        + " reads="
        + PositionalFile.description(directory)
        + " blockBytes="
        + blockBytes
        + (directBytes == NO_MERGE_BYTES ? "" : " directMergeBytes=" + directBytes);
  }

  /** Options of a {@link NioDirectory}. */
  public static final class Builder {
    private final Path path;
    private LockFactory lockFactory = FSLockFactory.getDefault();
    private int blockBytes = RecentBlocks.DEFAULT_BLOCK_BYTES;
    private long directBytes = NO_MERGE_BYTES;

    private Builder(Path path) {
      this.path = path;
    }

    /** Sets the lock factory; by default {@link FSLockFactory#getDefault}. */
    public Builder lockFactory(LockFactory factory) {
      lockFactory = factory;
      return this;
    }

    /**
     * Sets the bytes loaded by a random read, which does not continue where the last one ended; by
     * default {@value RecentBlocks#DEFAULT_BLOCK_BYTES}.
     *
     * @param bytes a power of two from 8 to 65,536
     */
    public Builder blockBytes(int bytes) {
      blockBytes = RecentBlocks.checkBlockBytes(bytes);
      return this;
    }

    /**
     * Makes large merges bypass the page cache, which then keeps the data that queries read; by
     * default none do. Vectors never do. Use it for indexes larger than the memory: with smaller
     * ones, merges wait for the device, and so do the first queries on a merged segment. Each file
     * takes 1.3 MiB of native memory while it is written. It has no effect without native calls, or
     * if the file system has no {@code O_DIRECT}.
     *
     * @param leastBytes size of the smallest merge that bypasses the page cache
     */
    public Builder directMergeBytes(long leastBytes) {
      directBytes = leastBytes;
      return this;
    }

    /**
     * Opens the directory.
     *
     * @throws IOException if the folder cannot be created
     */
    public NioDirectory build() throws IOException {
      return new NioDirectory(this);
    }
  }
}
