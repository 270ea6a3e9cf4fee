// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.internal.store.Copying;
import io.github.lucenedirectories.internal.store.FileNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A directory in persistent memory that is read by loads and written by stores.
 *
 * {@snippet :
 * try (PmemDirectory directory =
 *         PmemDirectory.builder(folder).initialBytes(16 << 20).build();
 *     IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
 *   writer.addDocument(new Document());
 *   writer.commit(); // survives what directory.toString() says of the mode
 * }
 * }
 *
 * <p>A folder has the pool files, which hold all files of the index and their metadata. It should
 * lie on a file system that is mounted on persistent memory with {@code -o dax}. Once a pool file
 * is mapped, creating, writing, deleting and opening files makes no system call in modes {@link
 * PmemMode#PMEM} and {@link PmemMode#EMULATED}, except opening where native access is denied;
 * syncing and renaming ask whether the pool files are still in place.
 *
 * <p>The effects of {@link #sync} and {@link #rename} survive a crash at any later moment, of the
 * kind that the {@link PmemMode} names. A file that was neither synced nor renamed is lost. A
 * deleted file may come back until {@link #syncMetaData} or the next sync of a new file. A pool
 * that is damaged, foreign or of a later version is refused with an error that names file, field,
 * expected and found.
 *
 * <p>Only one process at a time can use a folder, even for reading: it and its pool files are
 * locked until {@link #close}, and the index's locks are valid within this object. If a pool file
 * is removed or replaced meanwhile, {@link #sync} and {@link #rename} throw. Pool files are created
 * with space on the device for all their bytes, and are never deleted. All methods may be called
 * from any thread.
 */
public final class PmemDirectory extends BaseDirectory implements MetricSource {

  private final PoolStore store;
  private final Reaper reaper = new Reaper();
  private final Pools pools;
  private final PageAllocator allocator = new PageAllocator();
  private final MemoryFileTable files;
  private final Catalog catalog;
  private final @Nullable Populator populator;

  /**
   * Opens a directory with the defaults of {@link #builder}. If the folder has no pool file, the
   * first one is created, even for readers. A folder with an ordinary index is refused: copy that
   * index into a directory of another folder, by {@link #copyFrom} and {@link #sync}.
   *
   * @throws IOException if the folder holds an ordinary index and no pool; nothing is created then
   * @throws org.apache.lucene.store.LockObtainFailedException if another directory uses the folder
   * @throws org.apache.lucene.index.CorruptIndexException if a pool file is damaged or foreign
   */
  public PmemDirectory(Path folder) throws IOException {
    this(builder(folder));
  }

  private PmemDirectory(Builder builder) throws IOException {
    PmemOptions options = builder.options();
    this(FolderStore.open(builder.folder, builder.engine, builder.mode), options);
  }

  /**
   * A directory on any store.
   *
   * @param store closed with the directory, or if this throws
   */
  PmemDirectory(PoolStore store, PmemOptions options) throws IOException {
    // No other process can use the store.
    super(new SingleInstanceLockFactory());
    this.store = store;
    Pools mapped = null;
    MemoryFileTable table = null;
    try {
      mapped = new Pools(store, options, allocator);
      PmemMemory memory = new PmemMemory(mapped, allocator, options, reaper);
      table = new MemoryFileTable(memory);
      catalog = new Catalog(memory, table);
      memory.reclaimBy(catalog::settle);
      populator = store.touchesFreely() ? new Populator(memory) : null;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(table, reaper, mapped, store);
      throw t;
    }
    pools = mapped;
    files = table;
  }

  /** A builder with the defaults of {@link #PmemDirectory(Path)}. */
  public static Builder builder(Path folder) {
    return new Builder(folder);
  }

  @Override
  public String[] listAll() {
    ensureOpen();
    return files.names();
  }

  @Override
  public void deleteFile(String name) throws IOException {
    ensureOpen();
    catalog.delete(FileNames.check(name));
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
    return files.create(LogEntry.checkName(name), context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    ensureOpen();
    LogEntry.checkName(FileNames.temporaryName(prefix, suffix, Long.MAX_VALUE));
    return files.createTemporary(prefix, suffix, context);
  }

  /** Makes files durable: their bytes and their names. */
  @Override
  public void sync(Collection<String> names) throws IOException {
    ensureOpen();
    catalog.sync(names);
  }

  /** Makes deletions durable; synced files and renames are durable already. */
  @Override
  public void syncMetaData() throws IOException {
    ensureOpen();
    catalog.settle();
  }

  /** Copies a file. If there is a file {@code dest}, it stays as it is and the copy fails. */
  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    Copying.copy(from, src, this, dest, context);
  }

  /** Renames a file durably, even if it was not synced. */
  @Override
  public void rename(String source, String dest) throws IOException {
    ensureOpen();
    catalog.rename(source, LogEntry.checkName(dest));
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    return files.open(name, context);
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  /** Reports the pool files, the space for files, and the length of the metadata log. */
  @Override
  public void report(Sink sink) {
    sink.gauge("pmem.pool.files", pools.count());
    sink.gauge("pmem.total.bytes", allocator.totalBytes());
    sink.gauge("pmem.free.bytes", allocator.freeBytes());
    sink.gauge("pmem.longest.free.bytes", allocator.longestFreeBytes());
    sink.gauge("pmem.log.bytes", catalog.logBytes());
  }

  /**
   * Makes deletions durable, drops files that were not synced, and unlocks the folder. Open inputs
   * throw from then on.
   */
  @Override
  public synchronized void close() throws IOException {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    // Closed in reverse order.
    try (store;
        Closeable _ = this::unmap;
        reaper;
        files;
        populator) {
      catalog.close();
    }
  }

  private void unmap() throws IOException {
    // A native call, or a thread that closes an input, may still use an extent.
    if (allocator.isUnusedOr(() -> IOUtils.closeWhileHandlingException(pools))) {
      pools.close();
    }
  }

  /** Says where the pools are, how many there are, and how they are written. */
  @Override
  public String toString() {
    return "PmemDirectory(" + pools + ")@" + Integer.toHexString(System.identityHashCode(this));
  }

  /** Options of a {@link PmemDirectory}. */
  public static final class Builder {
    private static final long DEFAULT_INITIAL_BYTES = 1L << 28;
    private static final long DEFAULT_POOL_FILE_BYTES = 1L << 30;

    private final Path folder;
    private @Nullable PmemEngine engine;
    private @Nullable PmemMode mode;
    private long initialBytes = DEFAULT_INITIAL_BYTES;
    private long poolFileBytes = DEFAULT_POOL_FILE_BYTES;
    private long maxBytes = Long.MAX_VALUE;
    private long chunkBytes = Chunks.LARGEST_BYTES;

    private Builder(Path folder) {
      this.folder = Objects.requireNonNull(folder);
    }

    /** The library that writes and flushes. By default LLPL if it loads and supports the mode. */
    public Builder engine(PmemEngine chosen) {
      engine = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * How synced files are made durable. By default {@link PmemMode#PMEM} where the file system
     * supports it, else {@link PmemMode#FILE}.
     */
    public Builder mode(PmemMode chosen) {
      mode = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * Length of the first pool file, at least 1 MiB; 256 MiB by default. The metadata log is a
     * sixty-fourth as long, at most 16 MiB, which bounds the number of files: each needs about a
     * hundred bytes.
     */
    public Builder initialBytes(long bytes) {
      initialBytes = checkBytes("initialBytes", bytes);
      return this;
    }

    /** Length of each later pool file, unless a file needs a longer one; 1 GiB by default. */
    public Builder poolFileBytes(long bytes) {
      poolFileBytes = checkBytes("poolFileBytes", bytes);
      return this;
    }

    private static long checkBytes(String option, long bytes) {
      if (bytes < Layout.SMALLEST_POOL_BYTES) {
        throw new IllegalArgumentException(
            option + " must be at least " + Layout.SMALLEST_POOL_BYTES + ": " + bytes);
      }
      return bytes;
    }

    /** The limit of the total length of all pool files; by default the device is the limit. */
    public Builder maxBytes(long bytes) {
      maxBytes = checkBytes("maxBytes", bytes);
      return this;
    }

    /**
     * Files longer than this power of two are read as several chunks. Lucene decodes only files of
     * one chunk with SIMD instructions. 64 GiB by default.
     */
    public Builder chunkBytes(long bytes) {
      chunkBytes = Chunks.checkOption(bytes);
      return this;
    }

    private PmemOptions options() {
      if (initialBytes > maxBytes) {
        throw new IllegalArgumentException(
            "initialBytes=" + initialBytes + " is more than maxBytes=" + maxBytes);
      }
      return new PmemOptions(initialBytes, poolFileBytes, maxBytes, chunkBytes);
    }

    /** Opens the directory, or creates it. */
    public PmemDirectory build() throws IOException {
      return new PmemDirectory(this);
    }
  }
}
