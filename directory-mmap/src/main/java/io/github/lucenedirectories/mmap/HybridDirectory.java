package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.DirectMerges;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.ReadSizes;
import io.github.lucenedirectories.internal.file.RecentBlocks;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.internal.os.FileDescriptorLimits;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
 * A directory on a file system that chooses for each file how to read it: mapped into memory, or by
 * positions.
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
 * <p>While the open files fit in the memory of the machine or the container, every file is mapped,
 * which is fastest. If they do not fit, stored fields, term vectors, and raw vectors beside
 * quantized ones are mapped with the advice to load only the pages that are read, since the pages
 * that the kernel loads around them evict pages that the next query needs. If the other files are
 * more than three times as large as the memory, files are read by positions. While the page cache
 * is thrashing, all files but vectors are read by positions; if that does not help, vectors are
 * too. A merge always reads vectors mapped, because it reads them at random to build a graph. As
 * soon as memory is scarce, stored fields that a merge opens are read by positions, and large
 * merges write all but vectors past the page cache. The directory checks the memory every two
 * seconds; a change applies to queries that begin afterwards, on open files too. {@link #explain}
 * says what was chosen for a file and why.
 *
 * <p>The open files of all hybrid directories of the process count together. The memory is that of
 * the machine or, if smaller, of its control group (v1 or v2) or a group above, minus the maximum
 * Java heap and this library's off-heap memory.
 *
 * <p>A file whose access mode has changed while it was open takes both a descriptor and a mapping
 * until it is closed. If this library holds more than a quarter of the descriptors that the process
 * may have, mapped files stay mapped.
 *
 * <p>Durability, names and threads are as in {@link NioDirectory}. {@link #close} ends the
 * background threads; inputs that are still open stay readable.
 */
@SuppressWarnings("exports") // users see the methods of FSDirectory
public final class HybridDirectory extends FileDirectory {

  /** The open files of all hybrid directories of the process, and the memory for them. */
  private static final MemoryPressure PRESSURE =
      new MemoryPressure(AvailableMemory::pageCacheBytes);

  /** For files that the user wants to be mapped in this way, despite memory pressure. */
  private static final Advisor RANDOM = new Advisor(Advisor.Random.ALL);

  private static final Advisor NOT_RANDOM = new Advisor(Advisor.Random.NONE);

  private final Reaper reaper;
  private final RecentBlocks recent = RecentBlocks.ofBytes(ReadSizes.DEFAULT.randomBytes());
  private final Advisor advisor = new Advisor(Advisor.Random.NONE);

  /** How each open file was opened, the latest opening last. */
  private final Map<String, List<Opened>> opened = new ConcurrentHashMap<>();

  private final FileMapper mapper;
  private final AccessPolicy policy;
  private final MemoryPressure pressure;
  private final Directory positional;
  private final long directMergeBytes;

  private record Opened(IOContext context, AccessChoice choice) {}

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
    FileIdentity identity = FileIdentity.of(file);
    FileKind kind = FileKind.of(name, context);
    Cleaner.Cleanable counted = pressure.add(identity, file, kind, identity.bytes());
    try {
      AccessChoice choice = choose(file, name, context);
      boolean byPositions = choice.mode() == AccessMode.POSITIONAL;
      Opened now = new Opened(context, choice);
      IndexInput input =
          HybridIndexInput.open(
              identity,
              kind,
              context,
              byPositions,
              choice.fixed()
                  ? (_, _) -> byPositions
                  : (each, merge) ->
                      AccessPolicy.isByPositions(pressure.state().level(), each, merge),
              way -> {
                if (way != byPositions
                    && (way ? FileDescriptorLimits.areFew() : !mapper.hasRoomFor(file))) {
                  throw new IOException("few descriptors or mappings are left: " + file);
                }
                return way
                    ? positional.openInput(name, context)
                    : mapper.open(file, context, advisorFor(choice));
              },
              () -> {
                counted.clean();
                opened.computeIfPresent(name, (_, all) -> without(all, now));
              });
      opened.merge(name, List.of(now), HybridDirectory::join);
      return input;
    } catch (Throwable t) {
      counted.clean();
      throw t;
    }
  }

  private static List<Opened> join(List<Opened> all, List<Opened> added) {
    return Stream.concat(all.stream(), added.stream()).toList();
  }

  private static @Nullable List<Opened> without(List<Opened> all, Opened closed) {
    List<Opened> rest = all.stream().filter(each -> each != closed).toList();
    return rest.isEmpty() ? null : rest;
  }

  private Advisor advisorFor(AccessChoice choice) {
    if (!choice.fixed()) {
      return advisor;
    }
    return choice.mode() == AccessMode.MAPPED_RANDOM ? RANDOM : NOT_RANDOM;
  }

  private AccessChoice choose(Path file, String name, IOContext context) throws IOException {
    AccessChoice choice = policy.choose(name, context, pressure.state());
    if (choice.mode() == AccessMode.POSITIONAL) {
      // A mapping takes no descriptor.
      return !choice.fixed() && FileDescriptorLimits.areFew() && mapper.hasRoomFor(file)
          ? new AccessChoice(AccessMode.MAPPED, "few file descriptors are left (ulimit -n)")
          : choice;
    }
    return mapper.hasRoomFor(file)
        ? choice
        : new AccessChoice(
            AccessMode.POSITIONAL,
            true,
            "few of the mappings are left that vm.max_map_count allows");
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
   * Says how queries that begin now read a file, and why: on the input that was opened last or, if
   * none is open, on an input that is opened now. An open file is still read as it was opened if it
   * cannot be opened a second time, because it was deleted or few descriptors are left, and always
   * on Windows.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public String explain(String name) throws IOException {
    fileLength(name);
    List<Opened> all = opened.getOrDefault(name, List.of());
    Opened open = all.isEmpty() ? null : all.getLast();
    IOContext context = open == null ? IOContext.DEFAULT : open.context;
    AccessChoice now = policy.choose(name, context, pressure.state());
    if (open == null) {
      return name + ": not open; " + now;
    }
    if (!open.choice.fixed()) {
      return name + ": " + now;
    }
    return name
        + ": "
        + open.choice
        + (open.choice.mode() == now.mode() ? "" : "; opened now, " + now);
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
