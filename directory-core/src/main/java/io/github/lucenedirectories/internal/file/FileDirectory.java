// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.FileNames;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;

/**
 * The base of the directories on a file system: everything except how a file is read. The contract
 * is that of {@code NioDirectory}.
 */
public abstract class FileDirectory extends FSDirectory implements MetricSource {

  /** The size in bytes from which a merge is large, by default. */
  public static final long LARGE_MERGE_BYTES = 8L << 20;

  /** A size that no merge reaches. */
  public static final long NO_MERGE_BYTES = Long.MAX_VALUE;

  private final AtomicLong nextTemporary = new AtomicLong();
  private final FileSync files;
  private final Reader reader;
  private final LongSupplier directMergeBytes;

  /** Opens existing files for reading. */
  public interface Reader {
    IndexInput open(Path file, IOContext context) throws IOException;
  }

  /**
   * Opens a directory in a folder, which is created if missing.
   *
   * @param directMergeBytes the size in bytes from which a merge bypasses the page cache, so that
   *     the cache keeps the data that queries read. Smaller merges use it: their segments are
   *     merged again soon and take little of it.
   */
  protected FileDirectory(
      Path path, LockFactory lockFactory, Reader reader, LongSupplier directMergeBytes)
      throws IOException {
    super(path, lockFactory);
    files = new FileSync(directory);
    this.reader = reader;
    this.directMergeBytes = directMergeBytes;
  }

  @Override
  public void report(Sink sink) {
    files.report(sink);
  }

  @Override
  public final IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    FileNames.check(name);
    ensureCanRead(name);
    return reader.open(directory.resolve(name), context);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    FileNames.check(name);
    // Only the superclass can reuse a name whose deletion is pending.
    IndexOutput out =
        getPendingDeletions().contains(name)
            ? super.createOutput(name, context)
            : create(directory.resolve(name), context, directMergeBytes.getAsLong());
    files.forget(name);
    return out;
  }

  static IndexOutput create(Path path, IOContext context, long directMergeBytes)
      throws IOException {
    if (context.mergeInfo() == null) {
      return FileIndexOutput.create(path);
    }
    if (FileKind.of(path.getFileName().toString(), context) == FileKind.VECTORS) {
      // The merge reads them again at once, at random, to build a graph. So they are not written
      // directly, nor early, since dirty pages stay in the cache.
      return FileIndexOutput.createWithoutWriteBack(path);
    }
    return context.mergeInfo().estimatedMergeBytes() >= directMergeBytes
        ? DirectIndexOutput.create(path)
        : FileIndexOutput.create(path);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    ensureOpen();
    while (true) {
      String name = FileNames.temporaryName(prefix, suffix, nextTemporary.getAndIncrement());
      if (!getPendingDeletions().contains(name)) {
        try {
          return FileIndexOutput.createWithoutWriteBack(directory.resolve(name));
        } catch (FileAlreadyExistsException _) {
          // Left by an earlier process: take the next number.
        }
      }
    }
  }

  /**
   * Copies a file. From another file-system directory of this library, the file system copies the
   * bytes itself if it can. If a file {@code dest} exists, it stays as it is and the copy fails.
   */
  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    ensureOpen();
    requireNone(dest);
    if (!(from instanceof FileDirectory source) || getPendingDeletions().contains(dest)) {
      super.copyFrom(from, src, dest, context);
      return;
    }
    source.ensureOpen();
    source.ensureCanRead(FileNames.check(src));
    Path target = directory.resolve(dest);
    try {
      // Not Files.copy, which copies the permissions too: a read-only file could not be synced.
      Uninterruptibles.call(() -> copy(source.directory.resolve(src), target));
      files.forget(dest);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      IOUtils.deleteFilesIgnoringExceptions(this, dest);
      throw e;
    }
  }

  private static long copy(Path source, Path target) throws IOException {
    try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(target, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      try {
        long done = 0;
        for (long length = in.size(); done < length; ) {
          long copied = in.transferTo(done, length - done, out);
          if (copied == 0) {
            throw new EOFException("file has become shorter: " + source);
          }
          done += copied;
        }
        return done;
      } catch (ClosedByInterruptException e) {
        // It is copied again from the beginning.
        Files.delete(target);
        throw e;
      }
    }
  }

  /**
   * Throws if a file has this name. The default of {@link Directory#copyFrom} would delete that
   * file.
   *
   * @throws FileAlreadyExistsException if there is one
   */
  private void requireNone(String name) throws IOException {
    Path file = directory.resolve(FileNames.check(name));
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !getPendingDeletions().contains(name)) {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  @Override
  public long fileLength(String name) throws IOException {
    return super.fileLength(FileNames.check(name));
  }

  @Override
  public void deleteFile(String name) throws IOException {
    ensureOpen();
    super.deleteFile(FileNames.check(name));
    files.forget(name);
  }

  /** Renames a file, after running syncs have ended. */
  @Override
  public void rename(String source, String dest) throws IOException {
    FileNames.check(source);
    FileNames.check(dest);
    files.rename(source, dest, () -> super.rename(source, dest));
  }

  /**
   * Makes files durable, several at a time; interrupts do not affect it.
   *
   * @throws IOException if one of them could not be synced, now or earlier. The system may have
   *     lost its bytes, so every sync of it fails until the file is deleted or rewritten. All
   *     others were synced.
   */
  @Override
  public void sync(Collection<String> names) throws IOException {
    ensureOpen();
    names.forEach(FileNames::check);
    files.sync(names);
    deletePending();
  }

  /**
   * Makes the creation, renaming and deletion of files durable; interrupts do not affect it.
   *
   * @throws IOException if the file system failed; no error if it cannot sync folders
   */
  @Override
  public void syncMetaData() throws IOException {
    ensureOpen();
    FileSync.syncFolder(directory);
    deletePending();
  }

  /** Retries pending deletions now and then, as {@link FSDirectory} does. */
  private void deletePending() throws IOException {
    // No file is left to sync; the superclass retries pending deletions.
    super.sync(List.of());
  }
}
