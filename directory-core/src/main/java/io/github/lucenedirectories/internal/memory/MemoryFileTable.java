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
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory in memory, by name.
 *
 * <p>A file that is deleted or replaced stays readable for the inputs that are open on it. All
 * methods may be called from any thread; lookups take no lock.
 */
public final class MemoryFileTable implements Closeable {

  private final FileMemory memory;
  private final ObjLongConsumer<String> listener;
  private final ConcurrentHashMap<String, MemoryFile> files = new ConcurrentHashMap<>();

  /** Files that were deleted while they were being written, and may still be written. */
  private final Set<MemoryFile> orphans = ConcurrentHashMap.newKeySet();

  private final AtomicLong nextTemporary = new AtomicLong();
  private volatile boolean closed;

  /** An empty table whose files lie in the given memory. */
  public MemoryFileTable(FileMemory memory, ObjLongConsumer<String> listener) {
    this.memory = memory;
    this.listener = listener;
  }

  /** The names of all files, those still being written included, sorted as UTF-16. */
  public String[] names() {
    List<String> names = new ArrayList<>();
    files.forEach(
        (name, file) -> {
          if (!file.failed()) {
            names.add(name);
          }
        });
    return names.stream().sorted().toArray(String[]::new);
  }

  /** Whether there is a file of that name. */
  public boolean contains(String name) {
    MemoryFile file = files.get(FileNames.check(name));
    return file != null && !file.failed();
  }

  /** Reports the memory that complete files take by their extension, or {@code other}. */
  public void report(MetricSource.Sink sink) {
    SortedMap<String, Long> kinds = new TreeMap<>();
    files.forEach(
        (name, file) -> {
          String kind = IndexFileNames.getExtension(name);
          kinds.merge(kind == null ? "other" : kind, file.memoryBytes(), Long::sum);
        });
    kinds.forEach((kind, bytes) -> sink.figure("memory.file.bytes", kind, false, bytes));
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
    if (file == null || file.failed()) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  /**
   * Creates a file. It can be read once the output is closed. If a write fails the file is gone:
   * its memory is free, and only {@link #delete}, which Lucene then calls, still accepts its name.
   *
   * @param context may tell how long the file will be
   * @param overflow takes the file when memory has no room for it
   * @throws FileAlreadyExistsException if there is one of that name
   */
  public IndexOutput create(String name, IOContext context, SpillTarget overflow)
      throws FileAlreadyExistsException {
    MemoryFile file = new MemoryFile(memory);
    IndexOutput output = file.write(name, context, overflow, listener);
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
    if (other != null && !(other.failed() && files.replace(name, other, file))) {
      throw new FileAlreadyExistsException(name);
    }
    if (closed) {
      files.remove(name, file);
      throw new AlreadyClosedException("Already closed");
    }
  }

  /**
   * Creates a file with a unique name, made of the prefix, the suffix and a number.
   *
   * @param taken whether a name is in use elsewhere
   */
  public IndexOutput createTemporary(
      String prefix,
      String suffix,
      IOContext context,
      SpillTarget overflow,
      Predicate<String> taken) {
    while (true) {
      String name = FileNames.temporaryName(prefix, suffix, nextTemporary.getAndIncrement());
      if (!taken.test(name)) {
        try {
          return create(name, context, overflow);
        } catch (FileAlreadyExistsException _) {
          // The name is in use: take the next number.
        }
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
   * The memory of a file, null while it is written. The caller must ensure that the file is not
   * deleted while its memory is in use.
   *
   * @throws NoSuchFileException if there is none of that name
   */
  public @Nullable FileContents memory(String name) throws NoSuchFileException {
    return find(name).content();
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
   * Renames a file. For a moment a listing may show both names.
   *
   * @throws NoSuchFileException if there is no file {@code source}
   * @throws FileAlreadyExistsException if there is a file {@code dest}
   */
  public void rename(String source, String dest) throws IOException {
    MemoryFile file = find(source);
    enter(dest, file);
    if (!files.remove(source, file)) {
      // Another thread has deleted or renamed the file first.
      files.remove(dest, file);
      throw new NoSuchFileException(source);
    }
  }

  /**
   * Gives a file a second name. The caller must ensure that neither name is deleted or renamed
   * before one of them is passed to {@link #unlink}.
   *
   * @throws NoSuchFileException if there is no file {@code source}
   * @throws FileAlreadyExistsException if there is a file {@code dest}
   */
  public void link(String source, String dest) throws IOException {
    enter(dest, find(source));
  }

  /** Removes one of a file's two names. */
  public void unlink(String name) {
    files.remove(name);
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
