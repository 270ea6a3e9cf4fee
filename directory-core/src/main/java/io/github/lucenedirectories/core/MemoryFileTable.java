package io.github.lucenedirectories.core;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * The files of a directory in memory, by name.
 *
 * <p>A file that is deleted or replaced stays readable for the inputs that are open on it. All
 * methods may be called from any thread; lookups take no lock.
 */
public final class MemoryFileTable implements Closeable {

  private final OffHeapMemory memory;
  private final ConcurrentHashMap<String, MemoryFile> files = new ConcurrentHashMap<>();
  private final AtomicLong nextTemporary = new AtomicLong();
  private volatile boolean closed;

  /** An empty table whose files lie in the given memory. */
  public MemoryFileTable(OffHeapMemory memory) {
    this.memory = memory;
  }

  /** The names of all files, those still being written included, sorted as UTF-16. */
  public String[] names() {
    String[] names = files.keySet().toArray(String[]::new);
    Arrays.sort(names);
    return names;
  }

  /** How many files there are. */
  public int size() {
    return files.size();
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
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  /**
   * Creates a file. It can be read when the output has been closed.
   *
   * @throws FileAlreadyExistsException if there is one of that name
   */
  public IndexOutput create(String name) throws FileAlreadyExistsException {
    MemoryFile file = new MemoryFile(memory);
    if (files.putIfAbsent(FileNames.check(name), file) != null) {
      throw new FileAlreadyExistsException(name);
    }
    if (closed) {
      files.remove(name, file);
      throw new AlreadyClosedException("Already closed");
    }
    return new MemoryIndexOutput(name, memory, file::complete);
  }

  /** Creates a file under a name that no other has, made of the prefix, the suffix and a number. */
  public IndexOutput createTemporary(String prefix, String suffix) {
    while (true) {
      String name = temporaryName(prefix, suffix, nextTemporary.getAndIncrement());
      try {
        return create(name);
      } catch (FileAlreadyExistsException _) {
        // Somebody chose that name: take the next number.
      }
    }
  }

  /** The name that Lucene gives the {@code number}th temporary file. */
  public static String temporaryName(String prefix, String suffix, long number) {
    return FileNames.check(
        IndexFileNames.segmentFileName(
            prefix, suffix + "_" + Long.toString(number, Character.MAX_RADIX), "tmp"));
  }

  /**
   * Opens a file for reading.
   *
   * @throws NoSuchFileException if there is none of that name
   * @throws java.nio.file.AccessDeniedException if it is still being written
   */
  public IndexInput open(String name) throws IOException {
    return find(name).open(name);
  }

  /**
   * Deletes a file. Inputs that are open on it stay readable until they are closed.
   *
   * @throws NoSuchFileException if there is none of that name
   */
  public void delete(String name) throws NoSuchFileException {
    MemoryFile file = files.remove(FileNames.check(name));
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    file.release();
  }

  /**
   * Gives a file another name. For a moment a listing may show both.
   *
   * @throws NoSuchFileException if there is no file {@code source}
   * @throws FileAlreadyExistsException if there is a file {@code dest}
   */
  public void rename(String source, String dest) throws IOException {
    MemoryFile file = find(source);
    if (files.putIfAbsent(FileNames.check(dest), file) != null) {
      throw new FileAlreadyExistsException(dest);
    }
    if (!files.remove(source, file)) {
      // Deleted or renamed by another thread since: that one had the file first.
      files.remove(dest, file);
      throw new NoSuchFileException(source);
    }
  }

  /** Drops all files: inputs that are still open on them throw from then on. */
  @Override
  public void close() {
    // Whoever creates a file after this takes it back itself.
    closed = true;
    while (!files.isEmpty()) {
      // Again if a file was renamed to a name that had been passed.
      for (String name : files.keySet()) {
        MemoryFile file = files.remove(name);
        if (file != null) {
          file.revoke();
        }
      }
    }
  }
}
