// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A directory on a file system that maps files into memory, and tells the kernel which pages to
 * load as it observes the memory.
 *
 * {@snippet :
 * try (HybridDirectory directory = new HybridDirectory(path);
 *     IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
 *     SearcherManager searchers = new SearcherManager(writer, null)) {
 *   for (String file : directory.listAll()) {
 *     String how = directory.explain(file); // _0.cfs: MAPPED: all files fit in memory ...
 *   }
 * }
 * }
 *
 * <p>Files are mapped, except those that are read once. While the mapped files fit in the memory of
 * the machine or the container, or a quarter of them does and the page cache is not full, the
 * kernel reads ahead and around as it sees fit. After that it is advised to load only those pages
 * of stored fields and term vectors that are read, and also of postings, and then of vectors, that
 * do not fit: the pages around them would evict what the next query needs. Linux evicts pages with
 * this advice even if they are used, so such a file is mapped twice, and the use of its pages is
 * shown through the second mapping. The directory checks the memory every two seconds, or four
 * times a second while the files do not fit, and advises open files too. A merge opens files that
 * have this advice by positions, since it reads them from end to end; vectors excepted, if searches
 * read them. While not all files fit, large merges write all but vectors past the page cache.
 * {@link #explain} says what was chosen.
 *
 * <p>The mapped files of all hybrid directories of the process count together. The memory is that
 * of the machine or, if smaller, of its control group (v1 or v2) or a group above, minus the
 * maximum Java heap and this library's off-heap memory.
 *
 * <p>Durability, names and threads are as in {@link NioDirectory}. {@link #close} ends the
 * background threads; inputs that are still open stay readable.
 */
@SuppressWarnings("exports") // users see the methods of FSDirectory
public final class HybridDirectory extends FileDirectory {

  /** With less page cache than this, a container has no room for the memory of direct writes. */
  static final long DIRECT_MERGE_MEMORY_BYTES = 256L << 20;

  /** The open files of all hybrid directories of the process, and the memory for them. */
  private static final MemoryPressure PRESSURE =
      new MemoryPressure(AvailableMemory::pageCacheBytes, AvailableMemory::freeBytes);

  private final Reaper reaper;
  private final MappedFiles files;
  private final MemoryPressure pressure;

  /** Opens a directory in a folder, created if missing, with the default lock factory. */
  public HybridDirectory(Path path) throws IOException {
    this(builder(path));
  }

  /** Opens a directory in a folder, which is created if missing. */
  public HybridDirectory(Path path, LockFactory lockFactory) throws IOException {
    this(builder(path).lockFactory(lockFactory));
  }

  private HybridDirectory(Builder builder) throws IOException {
    MemoryPressure pressure =
        builder.memory == null ? PRESSURE : new MemoryPressure(builder.memory, () -> 0);
    Reaper reaper = new Reaper("HybridDirectory@" + builder.path);
    FileMapper mapper =
        new FileMapper(builder.chunkBytes, reaper, MappingCount.OF_PROCESS, Set.of());
    MappedFiles files = new MappedFiles(builder.path, builder.modes, mapper, pressure);
    long directMergeBytes = builder.directMergeBytes;
    super(
        builder.path,
        builder.lockFactory,
        files,
        () -> mergesDirectly(pressure.state()) ? directMergeBytes : NO_MERGE_BYTES);
    this.reaper = reaper;
    this.files = files;
    this.pressure = pressure;
  }

  /** If not all files fit, merges must not evict pages that queries need. */
  private static boolean mergesDirectly(MemoryPressure.State memory) {
    return memory.level() != MemoryPressure.Level.PLENTY
        && memory.memoryBytes() >= DIRECT_MERGE_MEMORY_BYTES;
  }

  /** A builder with the defaults of {@link #HybridDirectory(Path)}. */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  @Override
  public void report(Sink sink) {
    super.report(sink);
    MappingCount.OF_PROCESS.report(sink);
    pressure.report(sink);
  }

  /**
   * Says how a file is read that is mapped now, or how a search would read it that opens it now,
   * and why.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public String explain(String name) throws IOException {
    fileLength(name);
    Path file = directory.resolve(name);
    return pressure.isOpen(file)
        ? name + ": " + explain(name, files.chooseWithRoom(file, IOContext.DEFAULT))
        : name
            + ": not mapped; opened now, "
            + explain(name, files.choose(file, IOContext.DEFAULT));
  }

  private String explain(String name, MappedFiles.Choice choice) {
    return choice.pinned() == null
        ? pressure.state().explain(FileKind.of(name, IOContext.DEFAULT))
        : choice.pinned() + ": " + choice.reason();
  }

  @Override
  @SuppressWarnings(
      "UnsynchronizedOverridesSynchronized") // background threads are waited for without a lock
  public void close() throws IOException {
    // In this order: the superclass deletes files that could not be deleted while they were open.
    IOUtils.close(reaper, super::close);
  }

  /** Says where the files are, what memory there is for them, and how they are read. */
  @Override
  public String toString() {
    MemoryPressure.State memory = pressure.state();
    return String.format(
        Locale.ROOT,
        "%s memory=%s (%s) advice=%s positional=%s",
        super.toString(),
        memory.level(),
        memory,
        NativeCalls.get().isPresent() ? "madvise" : "none",
        PositionalFile.description(directory));
  }

  /** Options of a {@link HybridDirectory}. */
  public static final class Builder {
    private final Path path;
    private final Map<String, AccessMode> modes = new HashMap<>();
    private LockFactory lockFactory = FSLockFactory.getDefault();
    private long chunkBytes = Chunks.LARGEST_BYTES;
    private @Nullable LongSupplier memory;
    private long directMergeBytes = LARGE_MERGE_BYTES;

    private Builder(Path path) {
      this.path = path;
    }

    /** Sets the lock factory; by default {@link FSLockFactory#getDefault}. */
    public Builder lockFactory(LockFactory factory) {
      lockFactory = factory;
      return this;
    }

    /** As {@link MappedDirectory.Builder#chunkBytes}. */
    public Builder chunkBytes(long bytes) {
      chunkBytes = Chunks.checkOption(bytes);
      return this;
    }

    /**
     * Sets how much memory the page cache has for this index, whose files then count alone. By
     * default all indexes share the memory of the machine or the container.
     *
     * @param bytes called several times a second, by any thread; {@link HybridDirectory#close}
     *     waits for a running call
     */
    public Builder memoryBytes(LongSupplier bytes) {
      memory = bytes;
      return this;
    }

    /**
     * Sets how files with an extension are read, despite memory pressure; files that are read once
     * from beginning to end are excepted. Files within a compound file, as Lucene writes for new
     * segments by default, are read as the extension {@code cfs} says.
     *
     * @param extension as in {@code fdt}, without a dot
     */
    public Builder read(String extension, AccessMode mode) {
      if (extension.indexOf('.') >= 0) {
        throw new IllegalArgumentException(
            "extension must be without a dot, as in fdt: extension=" + extension);
      }
      modes.put(extension, mode);
      return this;
    }

    /**
     * Sets which merges bypass the page cache, so that it keeps the data that queries read. All
     * files but vectors do while not all files fit in memory, if that is 256 MiB at least. Each
     * takes 1.3 MiB of native memory while it is written.
     *
     * @param leastBytes size of the smallest merge that bypasses the page cache; 8 MiB by default
     */
    public Builder directMergeBytes(long leastBytes) {
      directMergeBytes = leastBytes;
      return this;
    }

    /**
     * Opens the directory.
     *
     * @throws IOException if the folder cannot be created
     */
    public HybridDirectory build() throws IOException {
      return new HybridDirectory(this);
    }
  }
}
