package io.github.lucenedirectories.ram;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockFactory;

/** Obtains locks from another directory. */
final class BackingLockFactory extends LockFactory {

  private final Directory backing;

  BackingLockFactory(Directory backing) {
    this.backing = backing;
  }

  @Override
  public Lock obtainLock(Directory directory, String lockName) throws IOException {
    return backing.obtainLock(lockName);
  }

  @Override
  public String toString() {
    return "of the backing";
  }
}
