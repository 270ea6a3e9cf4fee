// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NativeFSLockFactory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** The folder of a directory, locked for this process until {@link #close}. */
final class PoolFolder implements Closeable {

  private static final String LOCK_NAME = "pmem.lock";

  private final FSDirectory folder;
  private final Lock lock;

  private PoolFolder(FSDirectory folder, Lock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * Locks a folder, and creates it if there is none.
   *
   * @throws org.apache.lucene.store.LockObtainFailedException if another directory uses it
   * @throws IOException if it holds an index of ordinary files and no pool; nothing is created then
   */
  static PoolFolder open(Path path) throws IOException {
    FSDirectory folder =
        new NIOFSDirectory(Files.createDirectories(path), NativeFSLockFactory.INSTANCE);
    try {
      if (DirectoryReader.indexExists(folder)
          && Stream.of(folder.listAll()).noneMatch(name -> name.endsWith(FolderStore.SUFFIX))) {
        throw new IOException(
            "the folder holds an index of ordinary files and no pools; open a PmemDirectory in"
                + " another folder, and import the files with its copyFrom and sync: folder="
                + path);
      }
      return new PoolFolder(folder, folder.obtainLock(LOCK_NAME));
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(folder);
      throw t;
    }
  }

  /**
   * The store of the pool files in the folder; unlocks the folder if this fails.
   *
   * @param engine null for the best one available
   * @param mode null for the best one available
   */
  PoolStore store(@Nullable PmemEngine engine, @Nullable PmemMode mode) throws IOException {
    Path path = folder.getDirectory();
    try {
      return new FolderStore(path, PoolMapping.choose(path, engine, mode));
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(this);
      throw t;
    }
  }

  /** The wanted factory; one that needs an {@link FSDirectory} is given the folder. */
  LockFactory locks(LockFactory wanted) {
    if (!(wanted instanceof FSLockFactory)) {
      return wanted;
    }
    return new LockFactory() {
      @Override
      public Lock obtainLock(Directory directory, String lockName) throws IOException {
        return wanted.obtainLock(folder, lockName);
      }

      @Override
      public String toString() {
        return wanted.toString();
      }
    };
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(lock, folder);
  }
}
