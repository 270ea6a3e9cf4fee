// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.os.Parallel;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;

/**
 * The durable storage behind a {@link RamDirectory}, which is another directory. All methods may be
 * called from any thread.
 */
final class DirectoryBacking implements Closeable {

  /*
   * Why a crash at any point leaves a commit that opens:
   *
   *   - sync writes the files that the directory lacks, and syncs each of them. Lucene names files
   *     in a commit only after that.
   *   - rename, deleteFile and syncMetaData change the directory before memory, in Lucene's order.
   *   - Lucene makes names durable before it syncs files, when the directory lacks them. So rename,
   *     which publishes a commit, first makes the names durable that the sync has added, and
   *     rewrites files that were synced but became suspect since.
   *   - The deletion of a commit is durable before a file that it names is deleted: a commit that
   *     came back without its files would keep an IndexWriter from opening.
   *   - A file whose writing or sync failed is suspect: the system may have dropped pages that a
   *     second sync would report as durable. It is deleted and rewritten before its next sync.
   *     After a failed syncMetaData, all files that were created since the last successful one are
   *     suspect too. None of them is part of an acknowledged commit.
   *   - Files that others removed from the directory are written again by the next sync of a commit
   *     that names them. A commit fails if the lock was lost, because another process may write.
   *
   * A lock ensures that no other such object writes to the directory, so this one knows the names
   * without asking. The monitor of a Copy is held while its file is written, synced, renamed or deleted.
   */

  private static final String LOCK_NAME = "ram-directory.lock";
  private static final int SYNC_THREADS = 4;

  private final Directory directory;
  private final MemoryFileTable files;
  private final Lock lock;
  private final Map<String, Copy> copies = new ConcurrentHashMap<>();

  /** Commits whose deletion failed. No other file is deleted until it succeeds. */
  private final Set<String> undeletedCommits = ConcurrentHashMap.newKeySet();

  /**
   * Commits whose deletion failed at first, and succeeded before the deletion of another file. The
   * caller may delete them again without an error.
   */
  private final Set<String> deletedAfterAll = ConcurrentHashMap.newKeySet();

  /**
   * Names that were created, renamed to or deleted since the last successful syncMetaData. Each
   * change puts a new object, so a syncMetaData settles only the changes made before it began.
   */
  private final Map<String, Object> unsettled = new ConcurrentHashMap<>();

  private DirectoryBacking(Directory directory, MemoryFileTable files, Lock lock) {
    this.directory = directory;
    this.files = files;
    this.lock = lock;
  }

  /**
   * Locks a directory until {@link #close}.
   *
   * @param files the files in memory
   * @throws org.apache.lucene.store.LockObtainFailedException if another object has locked it
   */
  static DirectoryBacking open(Directory directory, MemoryFileTable files) throws IOException {
    Lock lock = directory.obtainLock(LOCK_NAME);
    try {
      DirectoryBacking backing = new DirectoryBacking(directory, files, lock);
      for (String name : directory.listAll()) {
        if (!name.equals(LOCK_NAME)) {
          backing.copies.put(name, new Copy(name, true));
        }
      }
      return backing;
    } catch (Throwable t) {
      lock.close();
      throw t;
    }
  }

  /** Marks files as durable, because a commit names them. */
  void markDurable(Collection<String> names) {
    for (String name : names) {
      copies.computeIfAbsent(name, _ -> new Copy(name, true)).durable = true;
    }
  }

  /** Whether the directory has a file, complete or not. */
  boolean contains(String name) throws IOException {
    Copy copy = copies.get(name);
    if (copy == null || !copy.exists) {
      return false;
    }
    synchronized (copy) {
      // Others may have removed it.
      copy.exists = copy.exists && isThere(name);
      return copy.exists;
    }
  }

  Set<String> names() {
    return copies.entrySet().stream()
        .filter(entry -> entry.getValue().exists)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Length of a file in bytes. */
  long length(String name) throws IOException {
    return directory.fileLength(name);
  }

  IndexInput open(String name, IOContext context) throws IOException {
    return directory.openInput(name, context);
  }

  /** Makes the bytes of files durable. */
  void sync(Collection<String> names) throws IOException {
    lock.ensureValid();
    forgetRemoved(names);
    makeDurable(
        names.stream().map(name -> copies.computeIfAbsent(name, _ -> new Copy(name, false))));
  }

  /** Notices which durable files are no longer in the directory. */
  private void forgetRemoved(Collection<String> names) throws IOException {
    Map<String, Copy> durable = new HashMap<>();
    for (String name : names) {
      Copy copy = copies.get(name);
      if (copy != null && copy.isDurable()) {
        durable.put(name, copy);
      }
    }
    if (durable.isEmpty()) {
      return;
    }
    durable.keySet().removeAll(Set.of(directory.listAll()));
    durable.forEach(
        (name, copy) -> {
          synchronized (copy) {
            // Unless it was renamed meanwhile.
            if (copy.name.equals(name)) {
              copy.exists = false;
              copy.durable = false;
            }
          }
        });
  }

  private void makeDurable(Stream<Copy> all) throws IOException {
    List<Copy> missing = all.filter(copy -> !copy.isDurable()).toList();
    Parallel.forEach(missing, SYNC_THREADS, this::makeDurable);
  }

  private void makeDurable(Copy copy) throws IOException {
    synchronized (copy) {
      String name = copy.name;
      if (copy.isDurable() || copy.deleted) {
        return;
      }
      boolean complete = copy.exists && !copy.suspect;
      copy.suspect = true;
      if (!complete) {
        write(name, copy);
      }
      directory.sync(List.of(name));
      copy.suspect = false;
      copy.durable = true;
    }
  }

  /** Writes a file from memory. */
  private void write(String name, Copy copy) throws IOException {
    long length;
    try (IndexInput input = files.open(name, IOContext.READONCE)) {
      length = input.length();
      if (copy.exists) {
        deleteIfThere(name);
      }
      unsettled.put(name, new Object());
      copy.exists = true;
      try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
        output.copyBytes(input, length);
      }
      unsettled.put(name, new Object());
    }
    long written = directory.fileLength(name);
    if (written != length) {
      throw new IOException(
          "short write: file=" + name + ", missingBytes=" + (length - written) + ": " + directory);
    }
  }

  /** Renames a file; does nothing if there is none of that name. */
  void rename(String source, String dest) throws IOException {
    deletedAfterAll.remove(dest);
    Copy copy = copies.get(source);
    if (copy == null) {
      return;
    }
    lock.ensureValid();
    if (copy.exists && !unsettled.isEmpty()) {
      makeDurable(
          copies.values().stream()
              .filter(made -> made.durable && unsettled.containsKey(made.name))
              .filter(made -> files.contains(made.name)));
      syncMetaData();
    }
    synchronized (copy) {
      copy.exists = copy.exists && (!copy.suspect || isThere(source));
      if (copy.exists) {
        try {
          directory.rename(source, dest);
        } catch (Throwable t) {
          learnAfterFailedRename(source, copy, dest, t);
          throw t;
        } finally {
          unsettled.put(dest, new Object());
        }
      }
      copy.name = dest;
      copies.put(dest, copy);
      copies.remove(source);
    }
  }

  private void learnAfterFailedRename(String source, Copy copy, String dest, Throwable failure) {
    copy.exists = mayBeThere(source, failure);
    copy.suspect = true;
    if (mayBeThere(dest, failure)) {
      copies.put(dest, new Copy(dest, true));
      if (isCommit(dest)) {
        undeletedCommits.add(dest);
      }
    }
  }

  /** Makes the names of files durable. */
  void syncMetaData() throws IOException {
    Map<String, Object> settling = Map.copyOf(unsettled);
    try {
      directory.syncMetaData();
    } catch (Throwable t) {
      for (String name : settling.keySet()) {
        Copy copy = copies.get(name);
        if (copy != null) {
          synchronized (copy) {
            copy.suspect = true;
          }
        }
      }
      throw t;
    }
    settling.forEach(unsettled::remove);
  }

  /** Deletes a file; returns false if there is none of that name. */
  boolean delete(String name) throws IOException {
    Copy copy = copies.get(name);
    if (copy == null) {
      return deletedAfterAll.remove(name);
    }
    lock.ensureValid();
    boolean commit = isCommit(name);
    if (!commit && copy.exists) {
      settleDeletedCommits();
    }
    synchronized (copy) {
      boolean existed = copy.exists;
      if (existed) {
        try {
          deleteIfThere(name);
        } catch (Throwable t) {
          // Some file systems report an error although the file is gone.
          copy.exists = mayBeThere(name, t);
          if (commit) {
            undeletedCommits.add(name);
          }
          throw t;
        } finally {
          unsettled.put(name, new Object());
        }
      }
      copy.exists = false;
      copy.deleted = true;
      copies.remove(name, copy);
      undeletedCommits.remove(name);
      return existed;
    }
  }

  /** Ensures that no deleted commit is left, or can come back after a crash. */
  private void settleDeletedCommits() throws IOException {
    for (String name : undeletedCommits) {
      delete(name);
      files.delete(name);
      deletedAfterAll.add(name);
    }
    if (unsettled.keySet().stream().anyMatch(DirectoryBacking::isCommit)) {
      syncMetaData();
    }
  }

  private static boolean isCommit(String name) {
    return name.startsWith(IndexFileNames.SEGMENTS);
  }

  private void deleteIfThere(String name) throws IOException {
    try {
      directory.deleteFile(name);
    } catch (NoSuchFileException | FileNotFoundException _) {
      // Others have removed it.
    }
  }

  private boolean isThere(String name) throws IOException {
    try {
      directory.fileLength(name);
      return true;
    } catch (NoSuchFileException | FileNotFoundException _) {
      return false;
    }
  }

  /** Whether a file is there, or that cannot be found out. */
  private boolean mayBeThere(String name, Throwable failure) {
    try {
      return isThere(name);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return true;
    }
  }

  /** Names of files whose deletion is pending. */
  Set<String> pendingDeletions() throws IOException {
    return directory.getPendingDeletions();
  }

  /** Lets another object use the directory. Called when reads of the files in memory fail. */
  @Override
  public void close() throws IOException {
    lock.close();
  }

  @Override
  public String toString() {
    return directory.toString();
  }

  /** The state of a file in the directory; changed under its own monitor. */
  private static final class Copy {

    /** Its current name, which may change while a sync waits to write the file. */
    private String name;

    /** Whether the directory has a file of that name, complete or not. */
    private volatile boolean exists;

    /** Whether a sync of it succeeded. */
    private volatile boolean durable;

    /** Whether it must be rewritten before it can become durable. */
    private volatile boolean suspect;

    /** Whether the file was deleted, so that a sync that waits must not write it any more. */
    private volatile boolean deleted;

    Copy(String name, boolean exists) {
      this.name = name;
      this.exists = exists;
    }

    /** A commit is never rewritten in place: a crash would leave half of it. */
    boolean isDurable() {
      return durable && (!suspect || isCommit(name));
    }
  }
}
