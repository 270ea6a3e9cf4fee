// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.DirectMerges;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.ReadSizes;
import io.github.lucenedirectories.internal.file.RecentBlocks;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.ReadOnceHint;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A directory on a file system that maps files into memory, and tells the kernel which pages to
 * load as it observes the memory and the reads from devices.
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
 * the machine or the container, the kernel reads ahead and around as it sees fit. If they do not
 * fit, it is advised to load only those pages of stored fields, term vectors, and raw vectors
 * beside quantized ones that are read: the pages around them would evict what the next query needs.
 * While the page cache is thrashing, postings and vectors get the same advice. The directory checks
 * the memory, and the process's reads from devices, every two seconds, and advises open files too.
 * A merge opens files that have this advice by positions, since it reads them from end to end;
 * vectors excepted. As soon as memory is scarce, large merges write all but vectors past the page
 * cache. {@link #explain} says what was chosen for a file and why.
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

  /** The open files of all hybrid directories of the process, and the memory for them. */
  private static final MemoryPressure PRESSURE =
      new MemoryPressure(AvailableMemory::pageCacheBytes);

  private final Reaper reaper;
  private final RecentBlocks recent = RecentBlocks.ofBytes(ReadSizes.DEFAULT.randomBytes());
  private final FileMapper mapper;
  private final AccessPolicy policy;
  private final MemoryPressure pressure;
  private final Directory positional;
  private final long directMergeBytes;

  /** Of files that follow the memory, and of those that the user wants to be mapped in one way. */
  private final Advisor advisor;

  private final Advisor random;
  private final Advisor plain;

  /** Opens a directory in a folder, created if missing, with the default lock factory. */
  public HybridDirectory(Path path) throws IOException {
    this(builder(path));
  }

  /** Opens a directory in a folder, which is created if missing. */
  public HybridDirectory(Path path, LockFactory lockFactory) throws IOException {
    this(builder(path).lockFactory(lockFactory));
  }

  @SuppressWarnings("this-escape") // the wrapper sees this directory after all else is initialized
  private HybridDirectory(Builder builder) throws IOException {
    super(builder.path, builder.lockFactory);
    reaper = new Reaper("HybridDirectory@" + directory);
    mapper = new FileMapper(builder.chunkBytes, reaper, MappingCount.OF_PROCESS, Preloader.NONE);
    policy = new AccessPolicy(builder.modes, FileMapper.canMap(directory));
    pressure = builder.memory == null ? PRESSURE : new MemoryPressure(builder.memory);
    advisor = new Advisor(Advisor.Random.NONE, pressure);
    random = new Advisor(Advisor.Random.ALL, pressure);
    plain = new Advisor(Advisor.Random.NONE, pressure);
    pressure.add(advisor);
    directMergeBytes = builder.directMergeBytes;
    positional = builder.positional.apply(new PositionalSide());
  }

  /** A builder with the defaults of {@link #HybridDirectory(Path)}. */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  @Override
  protected IndexInput open(Path file, IOContext context) throws IOException {
    String name = file.getFileName().toString();
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return positional.openInput(name, context);
    }
    AccessChoice choice = choose(file, name, context);
    return switch (choice.mode()) {
      case POSITIONAL -> positional.openInput(name, context);
      case MAPPED -> mapper.open(file, context, choice.fixed() ? plain : advisor);
      case MAPPED_RANDOM -> mapper.open(file, context, choice.fixed() ? random : advisor);
    };
  }

  private AccessChoice choose(Path file, String name, IOContext context) throws IOException {
    AccessChoice choice = policy.choose(name, context, pressure.state());
    return choice.mode() == AccessMode.POSITIONAL || mapper.hasRoomFor(file)
        ? choice
        : new AccessChoice(
            AccessMode.POSITIONAL,
            true,
            "few of the mappings are left that vm.max_map_count allows");
  }

  @Override
  public void report(Sink sink) {
    super.report(sink);
    MappingCount.OF_PROCESS.report(sink);
    pressure.report(sink);
  }

  /** If memory is scarce, merges must not evict pages that queries need. */
  @Override
  protected long directMergeBytes() {
    MemoryPressure.State memory = pressure.state();
    return memory.level() == MemoryPressure.Level.PLENTY
            || memory.memoryBytes() < DirectMerges.LEAST_MEMORY_BYTES
        ? DirectMerges.NEVER
        : directMergeBytes;
  }

  private IndexInput openPositional(String name, IOContext context) throws IOException {
    boolean once = context.hints().contains(ReadOnceHint.INSTANCE);
    return BlockIndexInput.open(
        directory.resolve(name), ReadSizes.DEFAULT, once ? null : recent, context);
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
    AccessChoice now = policy.choose(name, IOContext.DEFAULT, pressure.state());
    return pressure.isOpen(file)
        ? name + ": " + now
        : name + ": not mapped; opened now, " + choose(file, name, IOContext.DEFAULT);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return positional.createOutput(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return positional.createTempOutput(prefix, suffix, context);
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    ensureOpen();
    requireNone(dest);
    positional.copyFrom(from, src, dest, context);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    positional.deleteFile(name);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    positional.rename(source, dest);
  }

  @Override
  @SuppressWarnings(
      "UnsynchronizedOverridesSynchronized") // background threads are waited for without a lock
  public void close() throws IOException {
    // In this order: the superclass deletes files that could not be deleted while they were open.
    IOUtils.close(positional, reaper, super::close);
  }

  /** Says where the files are, what memory there is for them, and how they are read. */
  @Override
  public String toString() {
    MemoryPressure.State memory = pressure.state();
    return String.format(
        Locale.ROOT,
        "%s memory=%s (%s) prefetch=%s positional=%s%s",
        super.toString(),
        memory.level(),
        memory,
        NativeCalls.get().map(NativeCalls::prefetchCall).orElse("none"),
        PositionalFile.description(directory),
        positional instanceof PositionalSide
            ? ""
            : " through " + positional.getClass().getSimpleName());
  }

  /**
   * This directory as its wrapper sees it: it reads by positions. Every change of a file goes
   * through the wrapper first, because the wrapper may cache parts of files.
   */
  private final class PositionalSide extends FilterDirectory {

    PositionalSide() {
      super(HybridDirectory.this);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      return openPositional(name, context);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      return HybridDirectory.super.createOutput(name, context);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      return HybridDirectory.super.createTempOutput(prefix, suffix, context);
    }

    /** A wrapper that does not pass this on copies through its own {@link #createOutput}. */
    @Override
    public void copyFrom(Directory from, String src, String dest, IOContext context)
        throws IOException {
      HybridDirectory.super.copyFrom(from, src, dest, context);
    }

    @Override
    public void deleteFile(String name) throws IOException {
      HybridDirectory.super.deleteFile(name);
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      HybridDirectory.super.rename(source, dest);
    }

    /** Does nothing: the directory closes this. */
    @Override
    public void close() {}
  }

  /** Options of a {@link HybridDirectory}. */
  public static final class Builder {
    private final Path path;
    private final Map<String, AccessMode> modes = new HashMap<>();
    private LockFactory lockFactory = FSLockFactory.getDefault();
    private long chunkBytes = Chunks.LARGEST_BYTES;
    private @Nullable LongSupplier memory;
    private long directMergeBytes = DirectMerges.LEAST_BYTES;
    private UnaryOperator<Directory> positional = UnaryOperator.identity();

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
      chunkBytes = FileMapper.checkChunkBytes(bytes);
      return this;
    }

    /**
     * Sets how much memory the page cache has for this index, whose files then count alone. By
     * default all indexes share the memory of the machine or the container. Reads from devices are
     * counted for the whole process in both cases.
     *
     * @param bytes called every few seconds, by any thread; {@link HybridDirectory#close} waits for
     *     a running call
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
     * files but vectors do, while memory is scarce, but at least 256 MiB. Each takes 1.3 MiB of
     * native memory while it is written, and the process keeps up to 2 MiB afterwards.
     *
     * @param leastBytes size of the smallest merge that bypasses the page cache; 8 MiB by default
     */
    public Builder directMergeBytes(long leastBytes) {
      directMergeBytes = leastBytes;
      return this;
    }

    /**
     * Wraps the positional reads, with a block cache for instance. The wrapper sees every creation,
     * deletion and renaming, and is closed with the directory. It must not hold back written bytes:
     * listing, mapping and syncing files bypass it.
     */
    public Builder positional(UnaryOperator<Directory> wrapper) {
      positional = wrapper;
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
