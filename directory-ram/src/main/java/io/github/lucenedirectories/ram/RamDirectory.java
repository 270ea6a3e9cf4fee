// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.LoadProgress;
import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.memory.MemoryOptions;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import io.github.lucenedirectories.internal.memory.TableOwner;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.internal.store.Copying;
import io.github.lucenedirectories.internal.store.FileNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A directory whose files lie in memory outside the Java heap, within a limit.
 *
 * {@snippet :
 * try (Directory files = new MappedDirectory(path);
 *     RamDirectory directory = // loads the last commit, and writes the next ones
 *         RamDirectory.builder().maxBytes(4L << 30).backing(files).build();
 *     IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
 *   writer.addDocument(new Document());
 *   writer.commit(); // durable in the files
 * }
 * }
 *
 * <p>Files are contiguous, so Lucene decodes them with SIMD instructions. They cost the garbage
 * collector nothing. A deleted file stays readable through its open inputs; once they are closed, a
 * background thread frees its memory for new files.
 *
 * <p><b>At the limit</b> a write, or the close of an output, throws an {@link IOException} that
 * names the file, the requested bytes, the free bytes and the limit. The file is then deleted and
 * its memory freed. Complete files, and so the last commit, are not affected. Lucene closes an
 * {@code IndexWriter} whose flush or merge fails in this way; open a new one on this directory when
 * there is room.
 *
 * <p><b>Room for merges.</b> A merge writes its segment, and from that a compound file. The merged
 * segments stay until the next commit, or until the readers that use them are closed. The measured
 * peak of {@code forceMerge(1)} was 2.0 times the index, and 3.0 with a compound file; with vectors
 * 2.1 and 3.3; and 4.5 for an index of two-dimensional points only, which Lucene sorts in temporary
 * files. As a rule set the limit to three times the index, or four with compound files. Add the
 * index once if the policy merges in several steps (measured: 0.8 to 1.3), once without native
 * access (0.6 to 1.0), and twice the writer's RAM buffer for flushes.
 *
 * <p><b>Durability.</b> Without a backing, {@link #sync} does nothing and {@link #close} drops the
 * files. With {@linkplain Builder#backing a backing directory} a commit is as durable as the
 * backing makes it when {@code IndexWriter.commit} returns. A crash at any moment leaves a commit
 * that opens, and opening the directory again loads what the backing holds. Files that were never
 * synced are lost.
 *
 * <p>All methods may be called from any thread. {@link #close} ends the background threads; inputs
 * and outputs that are still open throw from then on.
 */
public final class RamDirectory extends BaseDirectory implements Accountable, MetricSource {

  private final Reaper reaper;
  private final OffHeapMemory memory;
  private final MemoryFileTable files;
  private final String name;

  /** Set once, before this object is published; null without a backing. */
  private @Nullable DirectoryBacking backing;

  /** An empty directory whose locks are valid within this object only. */
  public RamDirectory() {
    this(builder(), new Reaper());
  }

  private RamDirectory(Builder builder, Reaper reaper) {
    this(builder, builder.locks(), reaper, undemandingMemory(builder, reaper));
  }

  private RamDirectory(Builder builder, LockFactory locks, Reaper reaper, OffHeapMemory memory) {
    super(locks);
    this.reaper = reaper;
    this.memory = memory;
    this.files = new MemoryFileTable(memory, new Owner());
    this.name = builder.name;
  }

  private static OffHeapMemory undemandingMemory(Builder builder, Reaper reaper) {
    try {
      return OffHeapMemory.open(builder.memoryOptions(), reaper);
    } catch (IOException e) {
      throw new UncheckedIOException("the default options demand nothing", e);
    }
  }

  private static RamDirectory open(Builder builder) throws IOException {
    LockFactory locks = builder.locks();
    MemoryOptions options = builder.memoryOptions();
    Reaper reaper = new Reaper();
    OffHeapMemory memory = OffHeapMemory.open(options, reaper);
    RamDirectory directory = new RamDirectory(builder, locks, reaper, memory);
    Directory source = builder.backing;
    if (source != null) {
      try {
        directory.openBacking(source, builder);
      } catch (Throwable t) {
        IOUtils.closeWhileHandlingException(directory);
        throw t;
      }
    }
    return directory;
  }

  private void openBacking(Directory source, Builder builder) throws IOException {
    DirectoryBacking opened = DirectoryBacking.open(source, files);
    backing = opened;
    opened.markDurable(builder.loader().load(source, memory, files));
  }

  /** A builder with the defaults of {@link #RamDirectory()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Loads an index into a directory with the default options. */
  public static RamDirectory load(Directory source) throws IOException {
    return load(source, builder());
  }

  /**
   * Loads the files of all commits of an index in parallel, and verifies the checksums of those in
   * Lucene's binary formats. An older commit that lacks a file or is damaged is skipped with a
   * warning, as if it had been deleted. The source is only read, and may be closed afterwards.
   *
   * @throws IndexNotFoundException if the source has no commit
   * @throws org.apache.lucene.index.CorruptIndexException if a file of the newest commit is
   *     damaged; it names the file
   * @throws IOException if such a file cannot be read, or the index does not fit the limit
   */
  public static RamDirectory load(Directory source, Builder options) throws IOException {
    if (options.backing != null) {
      throw new IllegalArgumentException(
          "a directory with a backing loads what the backing holds: leave out one of the two");
    }
    RamDirectory directory = open(options);
    try {
      if (options.loader().load(source, directory.memory, directory.files).isEmpty()) {
        throw new IndexNotFoundException("no commit to load: " + source);
      }
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(directory);
      throw t;
    }
    return directory;
  }

  private final class Owner implements TableOwner {
    @Override
    public boolean isTaken(String file) throws IOException {
      return isBacked(file);
    }
  }

  /** Whether the backing has a file, complete or not. */
  private boolean isBacked(String name) throws IOException {
    return backing != null && backing.contains(name);
  }

  @Override
  public String[] listAll() {
    ensureOpen();
    Set<String> names = new TreeSet<>(Arrays.asList(files.names()));
    if (backing != null) {
      names.addAll(backing.names());
    }
    return names.toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    ensureOpen();
    FileNames.check(name);
    boolean deleted = backing != null && backing.delete(name);
    if (!files.delete(name) && !deleted) {
      throw new NoSuchFileException(name);
    }
  }

  /** The length in bytes; 0 while the file is being written. */
  @Override
  public long fileLength(String name) throws IOException {
    ensureOpen();
    return backing != null && isUnloaded(name) ? backing.length(name) : files.length(name);
  }

  /** Whether the backing has a file that was not loaded, because no undamaged commit names it. */
  private boolean isUnloaded(String name) throws IOException {
    return !files.contains(name) && isBacked(name);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    return files.create(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    ensureOpen();
    return files.createTemporary(prefix, suffix, context);
  }

  /** Makes files as durable as the backing does; does nothing without a backing. */
  @Override
  public void sync(Collection<String> names) throws IOException {
    ensureOpen();
    for (String name : names) {
      if (!files.contains(name) && !isBacked(name)) {
        throw new NoSuchFileException(name);
      }
    }
    if (backing != null) {
      backing.sync(names);
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    ensureOpen();
    if (backing != null) {
      backing.syncMetaData();
    }
  }

  /** Copies a file. If there is a file {@code dest}, it stays as it is and the copy fails. */
  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    Copying.copy(from, src, this, dest, context);
  }

  /**
   * Renames a file.
   *
   * @throws FileAlreadyExistsException if there is a file {@code dest}
   */
  @Override
  public void rename(String source, String dest) throws IOException {
    ensureOpen();
    boolean inMemory = files.contains(source);
    if (!inMemory && !isBacked(source)) {
      throw new NoSuchFileException(source);
    }
    if (files.contains(dest) || isBacked(dest)) {
      throw new FileAlreadyExistsException(dest);
    }
    if (backing != null) {
      backing.rename(source, dest);
    }
    if (inMemory) {
      files.rename(source, dest, () -> {});
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    return backing != null && isUnloaded(name)
        ? backing.open(name, context)
        : files.open(name, context);
  }

  /** The pending deletions of the backing; deletions in memory are never pending. */
  @Override
  public Set<String> getPendingDeletions() throws IOException {
    return backing == null ? Set.of() : backing.pendingDeletions();
  }

  /** Drops all files. The backing is neither written nor closed. */
  @Override
  public void close() throws IOException {
    isOpen = false;
    // A sync that still runs fails when the files are closed.
    IOUtils.close(files, backing, reaper, memory);
  }

  /** Reports the limit and the memory of files; it counts deleted files that are still read. */
  @Override
  public void report(Sink sink) {
    sink.gauge("ram.max.bytes", memory.maxBytes());
    sink.gauge("ram.used.bytes", memory.usedBytes());
    sink.gauge("ram.peak.bytes", memory.peakBytes());
    sink.gauge("ram.resident.free.bytes", memory.residentFreeBytes());
    files.report(sink);
  }

  /**
   * Memory of files, in bytes, outside the Java heap. ({@link Accountable} means heap memory, of
   * which this directory uses almost none.)
   */
  @Override
  public long ramBytesUsed() {
    return memory.usedBytes();
  }

  /** Says how memory is obtained and limited, and names the backing. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s@%s memory=%s maxBytes=%s%s lockFactory=%s",
        name,
        Integer.toHexString(hashCode()),
        memory.description(),
        memory.maxBytes(),
        backing == null ? "" : " backing=" + backing,
        lockFactory);
  }

  /** Options of a {@link RamDirectory}. */
  public static final class Builder {
    private String name = RamDirectory.class.getSimpleName();
    private @Nullable LockFactory lockFactory;
    private long chunkBytes = Chunks.LARGEST_BYTES;
    private long maxBytes = AvailableMemory.defaultMaxBytes();
    private @Nullable RamBudget budget;
    private HugePages hugePages = HugePages.TRY;
    private @Nullable Directory backing;
    private LoadProgress loadProgress = (_, _, _) -> {};

    private Builder() {}

    /** The name of the directory in {@code toString} and errors. */
    public Builder name(String directoryName) {
      name = directoryName;
      return this;
    }

    /**
     * A lock factory that needs no file system; by default its locks are valid within this object
     * only. It cannot be combined with a backing, which provides the locks.
     */
    public Builder lockFactory(LockFactory factory) {
      lockFactory = factory;
      return this;
    }

    /**
     * The longest range that is read as one segment; by default 64 GiB. Lucene decodes with SIMD
     * instructions only from files and slices up to this length.
     *
     * @param bytes a power of two, up to 64 GiB
     */
    public Builder chunkBytes(long bytes) {
      chunkBytes = Chunks.checkOption(bytes);
      return this;
    }

    /**
     * The limit of the files' memory in bytes, which counts whole pages. The default is the memory
     * of the machine or the container, less an eighth and the largest Java heap, at least 64 MiB.
     * Each directory has its own limit: divide the memory if a process has several, or let them
     * share a {@linkplain #budget budget}.
     */
    public Builder maxBytes(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("maxBytes must be positive: maxBytes=" + bytes);
      }
      maxBytes = bytes;
      return this;
    }

    /**
     * A limit that this directory shares with others, in addition to its own; by default there is
     * none.
     */
    public Builder budget(RamBudget shared) {
      budget = shared;
      return this;
    }

    /** Whether large files lie in huge pages; by default they do where the system provides them. */
    public Builder hugePages(HugePages mode) {
      hugePages = mode;
      return this;
    }

    /**
     * A directory that makes commits durable. Its commits are loaded and its locks are used; a
     * damaged older commit stays there and is not loaded. Only one {@code RamDirectory} at a time
     * can use it; plain readers may read it meanwhile. The caller closes it after this directory.
     */
    public Builder backing(Directory directory) {
      backing = directory;
      return this;
    }

    /** Receives the progress of loading an index. */
    public Builder loadProgress(LoadProgress progress) {
      loadProgress = progress;
      return this;
    }

    private MemoryOptions memoryOptions() {
      return new MemoryOptions(
          name, chunkBytes, maxBytes, hugePages, budget == null ? null : budget.memory);
    }

    private LockFactory locks() {
      Directory locked = backing;
      if (locked != null) {
        if (lockFactory != null) {
          throw new IllegalArgumentException(
              "lockFactory cannot be combined with a backing, which provides the locks");
        }
        return new LockFactory() {
          @Override
          public Lock obtainLock(Directory directory, String lockName) throws IOException {
            return locked.obtainLock(lockName);
          }

          @Override
          public String toString() {
            return "of the backing";
          }
        };
      }
      return lockFactory == null ? new SingleInstanceLockFactory() : lockFactory;
    }

    private IndexLoader loader() {
      return new IndexLoader(name, loadProgress);
    }

    /**
     * Builds the directory; with a backing also loads its commits.
     *
     * @throws IllegalArgumentException if an option is invalid
     * @throws org.apache.lucene.store.LockObtainFailedException if another directory uses the
     *     backing
     * @throws IOException if the system refuses what the options demand, or the backing cannot be
     *     loaded
     */
    public RamDirectory build() throws IOException {
      return open(this);
    }
  }
}
