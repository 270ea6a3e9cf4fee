// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.store.FileNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory in memory, by name.
 *
 * <p>A file that is deleted or replaced stays readable for the inputs that are open on it. All
 * methods may be called from any thread; lookups take no lock.
 */
public final class MemoryFileTable implements Closeable {

  private final FileMemory memory;
  private final TableOwner owner;
  private final ConcurrentHashMap<String, MemoryFile> files = new ConcurrentHashMap<>();

  /** Files that were deleted while they were being written, and may still be written. */
  private final Set<MemoryFile> orphans = ConcurrentHashMap.newKeySet();

  private final AtomicLong nextTemporary = new AtomicLong();
  private volatile boolean closed;

  /** An empty table whose files lie in the given memory. */
  public MemoryFileTable(FileMemory memory) {
    this(memory, new TableOwner() {});
  }

  public MemoryFileTable(FileMemory memory, TableOwner owner) {
    this.memory = memory;
    this.owner = owner;
  }

  /** The names of all files, those still being written included, sorted as UTF-16. */
  public String[] names() {
    List<String> names = new ArrayList<>();
    files.forEach(
        (name, file) -> {
          if (!file.isAbsent()) {
            names.add(name);
          }
        });
    return names.stream().sorted().toArray(String[]::new);
  }

  /** Whether there is a file of that name. */
  public boolean contains(String name) {
    MemoryFile file = files.get(FileNames.check(name));
    return file != null && !file.isAbsent();
  }

  /** Reports the memory that complete files take by their extension, or {@code other}. */
  public void report(MetricSource.Sink sink) {
    SortedMap<String, Long> kinds = new TreeMap<>();
    files.forEach(
        (name, file) -> {
          String kind = IndexFileNames.getExtension(name);
          kinds.merge(kind == null ? "other" : kind, file.memoryBytes(), Long::sum);
        });
    kinds.forEach((kind, bytes) -> sink.gauge("memory.file.bytes", kind, bytes));
  }

  /**
   * The length of a file in bytes; 0 while it is being written.
   *
   * @throws NoSuchFileException if there is none of that name
   */
  public long length(String name) throws NoSuchFileException {
    return find(name).length();
  }

  private MemoryFile find(String name) throws NoSuchFileException {
    MemoryFile file = files.get(FileNames.check(name));
    if (file == null || file.isAbsent()) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  /**
   * Creates a file. It can be read once the output is closed. If a write fails the file is gone:
   * its memory is free, and only {@link #delete}, which Lucene then calls, still accepts its name.
   *
   * @param context may tell how long the file will be
   * @throws FileAlreadyExistsException if there is one of that name, here or elsewhere
   */
  public IndexOutput create(String name, IOContext context) throws IOException {
    if (owner.isTaken(name)) {
      throw new FileAlreadyExistsException(name);
    }
    MemoryFile file = new MemoryFile(memory);
    IndexOutput output = file.write(name, context, owner);
    enter(name, file);
    return output;
  }

  /**
   * Adds a complete file; if that fails its memory is released.
   *
   * @throws FileAlreadyExistsException if there is one of that name
   */
  public void add(String name, FileContents bytes) throws FileAlreadyExistsException {
    MemoryFile file = new MemoryFile(memory);
    file.complete(bytes);
    try {
      enter(name, file);
    } catch (Throwable t) {
      file.revoke();
      throw t;
    }
  }

  private void enter(String name, MemoryFile file) throws FileAlreadyExistsException {
    MemoryFile other = files.putIfAbsent(FileNames.check(name), file);
    if (other != null && !(other.isAbsent() && files.replace(name, other, file))) {
      throw new FileAlreadyExistsException(name);
    }
    if (closed) {
      files.remove(name, file);
      throw new AlreadyClosedException("Already closed");
    }
  }

  /** Creates a file with a unique name, made of the prefix, the suffix and a number. */
  public IndexOutput createTemporary(String prefix, String suffix, IOContext context)
      throws IOException {
    while (true) {
      try {
        return create(
            FileNames.temporaryName(prefix, suffix, nextTemporary.getAndIncrement()), context);
      } catch (FileAlreadyExistsException _) {
        // The name is in use: take the next number.
      }
    }
  }

  /**
   * Opens a file for reading.
   *
   * @throws NoSuchFileException if there is none of that name
   * @throws java.nio.file.AccessDeniedException if it is still being written
   */
  public IndexInput open(String name, IOContext context) throws IOException {
    return find(name).open(name, context);
  }

  /**
   * The contents of a file, null while it is written. The caller must ensure that the file is not
   * deleted while they are in use.
   *
   * @throws NoSuchFileException if there is none of that name
   */
  public @Nullable FileContents contents(String name) throws NoSuchFileException {
    return find(name).contents();
  }

  /**
   * Deletes a file. Inputs that are open on it stay readable until they are closed.
   *
   * @return false if there is none of that name
   */
  public boolean delete(String name) {
    MemoryFile file = files.remove(FileNames.check(name));
    if (file == null) {
      return false;
    }
    if (file.isWritten()) {
      orphans.removeIf(orphan -> !orphan.isWritten());
      orphans.add(file);
      if (closed) {
        file.revoke();
      }
    }
    file.release();
    return true;
  }

  /**
   * Renames a file.
   *
   * @param publish runs while the file has both names; if it throws, the file keeps its old name
   * @throws NoSuchFileException if there is no file {@code source}
   * @throws FileAlreadyExistsException if there is a file {@code dest}
   */
  public void rename(String source, String dest, IORunnable publish) throws IOException {
    MemoryFile file = find(source);
    enter(dest, file);
    try {
      publish.run();
    } catch (Throwable t) {
      files.remove(dest, file);
      throw t;
    }
    if (!files.remove(source, file)) {
      // Another thread has deleted or renamed the file first.
      files.remove(dest, file);
      throw new NoSuchFileException(source);
    }
  }

  /** Drops all files: inputs and outputs that are still open on them throw from then on. */
  @Override
  public void close() {
    // A thread that creates a file after this removes it itself.
    closed = true;
    while (!files.isEmpty()) {
      // Repeated, since a file may be renamed to a name already passed.
      for (String name : files.keySet()) {
        MemoryFile file = files.remove(name);
        if (file != null) {
          file.revoke();
        }
      }
    }
    orphans.forEach(MemoryFile::revoke);
  }
}
