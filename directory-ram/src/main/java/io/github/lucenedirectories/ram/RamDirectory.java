package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.core.MemoryFileTable;
import io.github.lucenedirectories.core.OffHeapMemory;
import io.github.lucenedirectories.core.Reaper;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.SingleInstanceLockFactory;

/**
 * A directory whose files lie in memory outside the Java heap.
 *
 * <p>The garbage collector never sees the index, and Lucene decodes with SIMD instructions from
 * each file, which is contiguous. Nothing survives the process: {@link #sync} only checks that the
 * files exist. Memory is bounded by the system alone.
 *
 * <p>All methods may be called from any thread. A file can be opened when its output has been
 * closed; a deleted file stays readable for the inputs that are open on it. {@link #close} frees
 * the memory of all files and ends the background thread that does so; inputs that are still open
 * on them throw {@link org.apache.lucene.store.AlreadyClosedException} from then on. Inputs on
 * files that were deleted before, and outputs, free their memory when they are closed.
 */
public final class RamDirectory extends BaseDirectory {

  private final Reaper reaper = new Reaper();
  private final OffHeapMemory memory;
  private final MemoryFileTable files;

  /** An empty directory whose locks hold within this object. */
  public RamDirectory() {
    this(builder());
  }

  /**
   * An empty directory.
   *
   * @param lockFactory one that needs no file system
   */
  public RamDirectory(LockFactory lockFactory) {
    this(builder().lockFactory(lockFactory));
  }

  private RamDirectory(Builder builder) {
    super(builder.lockFactory);
    memory = new OffHeapMemory(builder.chunkBytes, reaper);
    files = new MemoryFileTable(memory);
  }

  /** A builder with the defaults of {@link #RamDirectory()}. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public String[] listAll() {
    ensureOpen();
    return files.names();
  }

  @Override
  public void deleteFile(String name) throws IOException {
    ensureOpen();
    files.delete(name);
  }

  /** The length in bytes; 0 while the file is being written. */
  @Override
  public long fileLength(String name) throws IOException {
    ensureOpen();
    return files.length(name);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    return files.create(name);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    ensureOpen();
    return files.createTemporary(prefix, suffix);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    ensureOpen();
    for (String name : names) {
      files.length(name);
    }
  }

  @Override
  public void syncMetaData() {
    ensureOpen();
  }

  /**
   * Gives a file another name.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a file {@code dest}
   */
  @Override
  public void rename(String source, String dest) throws IOException {
    ensureOpen();
    files.rename(source, dest);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    return files.open(name);
  }

  /** Always empty: a deletion never waits. */
  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  @Override
  public void close() {
    isOpen = false;
    try (reaper) {
      files.close();
    }
  }

  /** Says how memory is obtained, and how many files there are. */
  @Override
  public String toString() {
    return super.toString() + " files=" + files.size() + " memory=" + memory.description();
  }

  /** Options of a {@link RamDirectory}. */
  public static final class Builder {
    private LockFactory lockFactory = new SingleInstanceLockFactory();
    private long chunkBytes = OffHeapMemory.LARGEST_CHUNK_BYTES;

    private Builder() {}

    /** Who hands out locks, without a file system; by default one that holds in this process. */
    public Builder lockFactory(LockFactory factory) {
      lockFactory = factory;
      return this;
    }

    /**
     * The longest range that is read as one segment; by default 64 GiB. Lucene decodes with SIMD
     * instructions only from a file or slice that is not longer.
     *
     * @param bytes a power of two, up to 64 GiB
     */
    public Builder chunkBytes(long bytes) {
      chunkBytes = bytes;
      return this;
    }

    /**
     * Makes the directory.
     *
     * @throws IllegalArgumentException if an option has a value that it cannot have
     */
    public RamDirectory build() {
      return new RamDirectory(this);
    }
  }
}
