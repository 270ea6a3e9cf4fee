// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.file.FileSync;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NativeFSLockFactory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.Unwrappable;
import org.jspecify.annotations.Nullable;

/** Pool files in a folder, which is locked for this process until {@link #close}. */
final class FolderStore implements PoolStore {

  private static final String SUFFIX = ".pmem";
  private static final String LOCK_NAME = "pmem.lock";
  private static final String UNFINISHED = ".unfinished";

  private static final int ZEROS_BYTES = 1 << 20;

  private final FSDirectory directory;
  private final Path folder;
  private final Lock lock;
  private final PoolMapping mapping;

  private FolderStore(FSDirectory directory, Lock lock, PoolMapping mapping) {
    this.directory = directory;
    this.folder = directory.getDirectory();
    this.lock = lock;
    this.mapping = mapping;
  }

  /**
   * Locks a folder, and creates it if there is none.
   *
   * @param engine null for the best one available
   * @param mode null for the best one available
   * @throws org.apache.lucene.store.LockObtainFailedException if another directory uses the folder
   * @throws IOException if it holds an index of ordinary files and no pool; nothing is created then
   */
  static FolderStore open(Path path, @Nullable PmemEngine engine, @Nullable PmemMode mode)
      throws IOException {
    FSDirectory directory =
        new NIOFSDirectory(Files.createDirectories(path), NativeFSLockFactory.INSTANCE);
    Lock lock = null;
    try {
      if (DirectoryReader.indexExists(directory)
          && Stream.of(directory.listAll()).noneMatch(name -> name.endsWith(SUFFIX))) {
        throw new IOException(
            "the folder holds an index of ordinary files and no pools; open a PmemDirectory in"
                + " another folder, and import the files with its copyFrom and sync: folder="
                + path);
      }
      lock = directory.obtainLock(LOCK_NAME);
      return new FolderStore(
          directory, lock, PoolMapping.choose(directory.getDirectory(), engine, mode));
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(lock, directory);
      throw t;
    }
  }

  @Override
  public void deleteUnfinished() throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, "*" + SUFFIX + UNFINISHED)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        names.add(file.getFileName().toString());
      }
    }
    return names;
  }

  @Override
  public long length(String name) throws IOException {
    return Files.size(folder.resolve(name));
  }

  @Override
  public byte[] head(String name, int length) throws IOException {
    try (InputStream file = Files.newInputStream(folder.resolve(name))) {
      return file.readNBytes(length);
    }
  }

  @Override
  public void create(String name, long length, byte[] head) throws IOException {
    Path unfinished = folder.resolve(name + UNFINISHED);
    try {
      Uninterruptibles.call(() -> write(unfinished, length, head));
      Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      FileSync.syncFolder(folder);
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(unfinished);
      throw t;
    }
  }

  /** Replaces a file that a crash may have left, or a link, which must not be followed. */
  private static boolean write(Path unfinished, long length, byte[] head) throws IOException {
    Files.deleteIfExists(unfinished);
    try (FileChannel file =
            FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      writeFully(file, ByteBuffer.wrap(head));
      // Unlike a direct buffer, this does not count against a limit of the JVM.
      ByteBuffer zeros = arena.allocate(ZEROS_BYTES).asByteBuffer();
      // Zeros are written, because a store to a hole is a fault if the device is full.
      for (long left = length - head.length; left > 0; left -= zeros.limit()) {
        zeros.clear().limit((int) Math.min(left, ZEROS_BYTES));
        writeFully(file, zeros.slice());
      }
      file.force(true);
      return true;
    }
  }

  private static void writeFully(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  @Override
  public PoolMemory map(String name) throws IOException {
    return mapping.map(folder.resolve(name));
  }

  @Override
  public long usableBytes() {
    // A FileStore would need the table of mounts, which a process without /proc cannot read.
    long bytes = Unwrappable.unwrapAll(folder).toFile().getUsableSpace();
    return bytes > 0 ? bytes : Long.MAX_VALUE;
  }

  /** On a disk, each touched page must be written back, and may have to be read first. */
  @Override
  public boolean touchesFreely() {
    return mapping.mode() != PmemMode.FILE;
  }

  @Override
  public String path(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public String description() {
    return folder + " " + mapping;
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(lock, directory);
  }
}
