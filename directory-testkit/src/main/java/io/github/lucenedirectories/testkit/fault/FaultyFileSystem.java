// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.CopyOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/**
 * A layer over a file system that refuses what a test tells it to refuse, by the name of the file.
 *
 * <p>All fields may be changed at any time, from any thread.
 */
public final class FaultyFileSystem extends FilterFileSystemProvider {

  /** Names of files that cannot be deleted, as on a system that keeps open files. */
  public final Set<String> undeletable = ConcurrentHashMap.newKeySet();

  /** Names of files that cannot be opened for writing, for lack of permission. */
  public final Set<String> unwritable = ConcurrentHashMap.newKeySet();

  /** Names of files whose fsync fails. */
  public final Set<String> unsyncable = ConcurrentHashMap.newKeySet();

  /** Names of the files that fsync was called for, in order, with failed calls. */
  public final List<String> synced = new CopyOnWriteArrayList<>();

  /** Nothing can be deleted while this is so, as on a system that keeps mapped files. */
  public volatile BooleanSupplier keepsFiles = () -> false;

  /** What to do before each fsync, in its thread. */
  public volatile Runnable beforeSync = () -> {};

  /** What to do before each read and write of a channel, in its thread. */
  public volatile Runnable beforeTransfer = () -> {};

  /** What one write to a channel takes at most. */
  public volatile int transferBytes = Integer.MAX_VALUE;

  private FaultyFileSystem(Path path) {
    super("faulty://", path.getFileSystem());
  }

  /** Puts a layer over the file system of {@code path}. */
  public static FaultyFileSystem over(Path path) {
    return new FaultyFileSystem(path);
  }

  private static String nameOf(Path path) {
    return path.getFileName().toString();
  }

  @Override
  public void delete(Path path) throws IOException {
    refuseDelete(path);
    super.delete(path);
  }

  @Override
  public boolean deleteIfExists(Path path) throws IOException {
    refuseDelete(path);
    return super.deleteIfExists(path);
  }

  private void refuseDelete(Path path) throws IOException {
    if (undeletable.contains(nameOf(path)) || keepsFiles.getAsBoolean()) {
      throw new IOException("the test refuses to delete: " + path);
    }
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    refuseDelete(source);
    super.move(source, target, options);
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    refuseWrite(path, List.of(options));
    return super.newOutputStream(path, options);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    refuseWrite(path, options);
    return super.newByteChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    refuseWrite(path, options);
    String name = nameOf(path);
    return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
      @Override
      public void force(boolean metaData) throws IOException {
        beforeSync.run();
        synced.add(name);
        if (unsyncable.contains(name)) {
          throw new IOException("the test lets fsync fail: " + name);
        }
        super.force(metaData);
      }

      @Override
      public int write(ByteBuffer source) throws IOException {
        beforeTransfer.run();
        int limit = source.limit();
        source.limit(source.position() + Math.min(source.remaining(), transferBytes));
        try {
          return super.write(source);
        } finally {
          source.limit(limit);
        }
      }

      @Override
      public int read(ByteBuffer target, long pos) throws IOException {
        beforeTransfer.run();
        return super.read(target, pos);
      }
    };
  }

  private void refuseWrite(Path path, Iterable<? extends OpenOption> options) throws IOException {
    for (OpenOption option : options) {
      if (option == StandardOpenOption.WRITE && unwritable.contains(nameOf(path))) {
        throw new AccessDeniedException(path.toString(), null, "the test denies access");
      }
    }
  }
}
