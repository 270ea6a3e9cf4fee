package io.github.lucenedirectories.pmem;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockFactory;

/** Obtains the locks of an {@link FSLockFactory}, which needs an {@link FSDirectory}. */
final class FolderLockFactory extends LockFactory {

  private final FSDirectory folder;
  private final LockFactory locks;

  FolderLockFactory(FSDirectory folder, LockFactory locks) {
    this.folder = folder;
    this.locks = locks;
  }

  @Override
  public Lock obtainLock(Directory directory, String lockName) throws IOException {
    return locks.obtainLock(folder, lockName);
  }

  @Override
  public String toString() {
    return locks.toString();
  }
}
