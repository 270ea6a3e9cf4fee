package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.AvailableMemory;
import io.github.lucenedirectories.core.BlockIndexInput;
import io.github.lucenedirectories.core.Descriptors;
import io.github.lucenedirectories.core.DirectMerges;
import io.github.lucenedirectories.core.OffHeapMemory;
import io.github.lucenedirectories.core.PositionalFile;
import io.github.lucenedirectories.core.ReadSizes;
import io.github.lucenedirectories.core.Reaper;
import io.github.lucenedirectories.core.RecentBlocks;
import io.github.lucenedirectories.mmap.Advisor.Jumps;
import io.github.lucenedirectories.nio.FileDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.lucene.store.DataAccessHint;
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
 * <p>While the index fits in the memory that the machine or the container has for it, every file is
 * mapped, which is fastest. Where it does not, stored fields are mapped with advice against the
 * kernel's habit of loading much around each page that is missing, which throws out what the next
 * query needs. Where the rest is more than three times what fits, files are read by positions. So
 * are all but vectors where what the process reads from devices is seen to replace all that fits
 * again and again, and vectors where that does not help. So are merges as soon as memory is scarce,
 * and large ones go past the page cache. All this is looked at every two seconds, and concerns
 * queries that begin then, on files that are open too. {@link #explain} says what was chosen for a
 * file and why; the logger of this class tells changes at level {@code FINE}.
 *
 * <p>The index counts with those of all other hybrid directories of the process. The memory is that
 * of the machine or, if smaller, of its control group (v1 or v2) or a group above, less the largest
 * Java heap and what this library keeps off the heap.
 *
 * <p>A file whose way has changed while it was open takes both a descriptor and a mapping until it
 * is closed. Where more than half of the descriptors that the process may have are in use, files
 * that are mapped stay so.
 *
 * <p>Durability, names and threads are as in {@link FileDirectory}. {@link #close} ends the
 * background threads; inputs that are still open stay readable.
 */
public final class HybridDirectory extends FileDirectory {

  /** What all hybrid directories of the process read, and have memory for. */
  private static final MemoryDemand DEMAND = new MemoryDemand(AvailableMemory::pageCacheBytes);

  private static final Logger LOG = Logger.getLogger(HybridDirectory.class.getName());

  private final Reaper reaper = new Reaper();
  private final RecentBlocks recent = RecentBlocks.ofBytes(ReadSizes.DEFAULT.randomBytes());
  private final Advisor advisor = new Advisor(Jumps.OF_NONE);
  private final RecentChoices choices = new RecentChoices();
  private final Runnable measuring = this::measure;
  private final FileMapper mapper;
  private final ReadChooser chooser;
  private final MemoryDemand demand;
  private final Directory positional;
  private final long directMergeBytes;
  private final IndexFolder folder;

  private volatile MemoryDemand.State memory;

  /** Against a look at the index that goes on while this is closed. */
  private volatile boolean closed;

  /** A directory in a folder, which is made if there is none, with the default lock factory. */
  public HybridDirectory(Path path) throws IOException {
    this(builder(path));
  }

  /** A directory in a folder, which is made if there is none. */
  public HybridDirectory(Path path, LockFactory lockFactory) throws IOException {
    this(builder(path).lockFactory(lockFactory));
  }

  @SuppressWarnings("this-escape") // the wrapper sees this directory when all but it is there
  private HybridDirectory(Builder builder) throws IOException {
    super(builder.path, builder.lockFactory);
    mapper = new FileMapper(builder.chunkBytes, reaper, MappingCount.OF_PROCESS, Preloader.NONE);
    chooser = new ReadChooser(builder.ways, FileMapper.canMap(directory));
    demand = builder.memory == null ? DEMAND : new MemoryDemand(builder.memory);
    memory = demand.state();
    folder = new IndexFolder(directory);
    directMergeBytes = builder.directMergeBytes;
    positional = builder.positional.apply(new PositionalSide());
    measure();
    MemoryWatch.add(measuring);
  }

  /** A builder with the defaults of {@link #HybridDirectory(Path)}. */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  /** Looks at the index and at the memory, and advises open files anew if they no longer agree. */
  private void measure() {
    try {
      folder.ifChanged().ifPresent(index -> demand.set(this, index));
      if (closed) {
        demand.remove(this);
      }
    } catch (IOException _) {
      // The folder is gone or cannot be listed: what was known must do.
    }
    MemoryDemand.State now = demand.state();
    if (now.level() != memory.level()) {
      LOG.fine(() -> "memory=" + now.level() + " (" + now + "): " + directory);
    }
    memory = now;
    advisor.tell(
        switch (now.level()) {
          case PLENTY -> Jumps.OF_NONE;
          case SCARCE, CHURNING -> Jumps.OF_ALL_BUT_VECTORS;
          case STARVED -> Jumps.OF_ALL;
        });
  }

  @Override
  public boolean keepsBytesAsTheyAre() {
    return true;
  }

  @Override
  protected IndexInput open(Path file, IOContext context) throws IOException {
    String name = file.getFileName().toString();
    ReadChoice choice = choose(file, name, context);
    if (!context.hints().contains(ReadOnceHint.INSTANCE)) {
      choices.put(name, context, choice);
    }
    if (!choice.fixed()) {
      return openForNow(file, name, context, choice.way() == ReadWay.POSITIONAL);
    }
    return switch (choice.way()) {
      case POSITIONAL -> positional.openInput(name, context);
      case MAPPED -> mapper.open(file, context, Advisor.NO_JUMPS);
      case MAPPED_RANDOM -> mapper.open(file, jumping(context), Advisor.ALL);
    };
  }

  /** Opens a file that is read in the other way as soon as the memory asks for it. */
  private IndexInput openForNow(Path file, String name, IOContext context, boolean byPositions)
      throws IOException {
    return HybridIndexInput.open(
        file,
        context,
        byPositions,
        each -> ReadChooser.isByPositions(memory.level(), each),
        way -> {
          if (way != byPositions && (way ? Descriptors.areFew() : !mapper.hasRoomFor(file))) {
            throw new IOException("few descriptors or mappings are left: " + file);
          }
          return openIn(file, name, context, way);
        });
  }

  private IndexInput openIn(Path file, String name, IOContext context, boolean byPositions)
      throws IOException {
    return byPositions ? positional.openInput(name, context) : mapper.open(file, context, advisor);
  }

  /** The context with the hint that reads jump, in place of what it says of that. */
  private static IOContext jumping(IOContext context) {
    return context.withHints(
        Stream.concat(
                context.hints().stream().filter(hint -> !(hint instanceof DataAccessHint)),
                Stream.of(DataAccessHint.RANDOM))
            .toArray(IOContext.FileOpenHint[]::new));
  }

  private ReadChoice choose(Path file, String name, IOContext context) throws IOException {
    ReadChoice choice = chooser.choose(name, context, memory);
    return choice.way() == ReadWay.POSITIONAL || mapper.hasRoomFor(file)
        ? choice
        : new ReadChoice(
            ReadWay.POSITIONAL, true, "few of the mappings are left that vm.max_map_count allows");
  }

  /** Where memory is scarce, merges must not take what queries need. */
  private long directBytes() {
    return memory.level() == MemoryDemand.Level.PLENTY
            || memory.memoryBytes() < DirectMerges.LEAST_MEMORY_BYTES
        ? DirectMerges.NEVER
        : directMergeBytes;
  }

  @Override
  protected IndexOutput create(Path file, IOContext context) throws IOException {
    return DirectMerges.create(file, context, directBytes());
  }

  private IndexInput openPositional(String name, IOContext context) throws IOException {
    boolean once = context.hints().contains(ReadOnceHint.INSTANCE);
    return BlockIndexInput.open(
        directory.resolve(name), ReadSizes.DEFAULT, once ? null : recent, directBytes(), context);
  }

  /**
   * Says how a file is read, and why: by queries that begin now, on the input that was opened last,
   * else on one that would be opened now. A file that cannot be opened a second time, since it was
   * deleted or few descriptors are left, and every file on Windows, is still read as it was opened.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public String explain(String name) throws IOException {
    fileLength(name);
    RecentChoices.Opened opened = choices.get(name);
    IOContext context = opened == null ? IOContext.DEFAULT : opened.context();
    ReadChoice now = chooser.choose(name, context, memory);
    if (opened == null) {
      return name + ": not opened yet; " + now;
    }
    if (!opened.choice().fixed()) {
      return name + ": " + now;
    }
    return name
        + ": "
        + opened.choice()
        + (opened.choice().way() == now.way() ? "" : "; opened now, " + now);
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
    choices.remove(name);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    positional.rename(source, dest);
    choices.remove(source);
    choices.remove(dest);
  }

  @Override
  @SuppressWarnings(
      "UnsynchronizedOverridesSynchronized") // background threads are waited for without a lock
  public void close() throws IOException {
    closed = true;
    MemoryWatch.remove(measuring);
    demand.remove(this);
    // In this order: the superclass deletes what could not be deleted while it was open.
    IOUtils.close(positional, reaper, super::close);
  }

  /** Says where the files are, what memory there is for them, and how they are read. */
  @Override
  public String toString() {
    return super.toString()
        + " memory="
        + memory.level()
        + " ("
        + memory
        + ") positional="
        + PositionalFile.description(directory)
        + (positional instanceof PositionalSide
            ? ""
            : " through " + positional.getClass().getSimpleName());
  }

  /**
   * This directory as its wrapper sees it: it reads by positions, and what changes files goes
   * through the wrapper first, which may keep parts of them.
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
    private final Map<String, ReadWay> ways = new HashMap<>();
    private LockFactory lockFactory = FSLockFactory.getDefault();
    private long chunkBytes = OffHeapMemory.LARGEST_CHUNK_BYTES;
    private @Nullable LongSupplier memory;
    private long directMergeBytes = DirectMerges.LEAST_BYTES;
    private UnaryOperator<Directory> positional = UnaryOperator.identity();

    private Builder(Path path) {
      this.path = path;
    }

    /** Who hands out locks; by default {@link FSLockFactory#getDefault}. */
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
     * How much memory the page cache has for this index, which then counts alone. By default what
     * the machine or the container has, for all indexes together. What is read from devices counts
     * for the whole process nevertheless.
     *
     * @param bytes asked every few seconds, by any thread; {@link HybridDirectory#close} waits for
     *     an answer that is on its way
     */
    public Builder memoryBytes(LongSupplier bytes) {
      memory = bytes;
      return this;
    }

    /**
     * How files with an extension are read, whatever the memory; those that are read once from
     * beginning to end excepted. What lies within a compound file, as the parts of a new segment do
     * by Lucene's default, goes by that file's extension, {@code cfs}.
     *
     * @param extension as in {@code fdt}, without a dot
     */
    public Builder read(String extension, ReadWay way) {
      ways.put(extension, way);
      return this;
    }

    /**
     * While memory is scarce, but 256 MiB at least, large merges, and others who read whole files
     * by positions, go past the page cache, which keeps what queries read. That takes up to 32 MiB
     * of native memory for what is read, once for the process, and 1.3 MiB for each file that is
     * written, as long as such files are open; 2 MiB afterwards.
     *
     * @param leastBytes length of the smallest file that is read, and of the smallest merge that is
     *     written, in this way; 8 MiB by default
     */
    public Builder directMergeBytes(long leastBytes) {
      directMergeBytes = leastBytes;
      return this;
    }

    /**
     * Wraps what reads by positions, as a cache of blocks does. The wrapper sees every creation,
     * deletion and renaming, and is closed with the directory. It must not keep what is written:
     * files are listed, mapped and synced past it.
     */
    public Builder positional(UnaryOperator<Directory> wrapper) {
      positional = wrapper;
      return this;
    }

    /**
     * Opens the directory.
     *
     * @throws IOException if the folder cannot be made
     */
    public HybridDirectory build() throws IOException {
      return new HybridDirectory(this);
    }
  }
}
