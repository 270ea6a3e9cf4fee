package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A file in memory and a mapped one with the same contents, both in our directories or both in
 * Lucene's. The loop of a subclass reads one of them in the measured time and, if asked to, the
 * other one just before.
 */
@State(Scope.Benchmark)
public abstract class DirectoryPair {
  /** {@link RamDirectory} and {@link MappedDirectory}. */
  static final String OURS = "RamDirectory+MappedDirectory";

  /** {@link NRTCachingDirectory} over {@link MMapDirectory}: a file in its cache, one below. */
  static final String LUCENE = "NRTCachingDirectory+MMapDirectory";

  static final String MEMORY = "memory";
  static final String MAPPED = "mapped";
  static final String ALONE = "alone";
  static final String MIXED = "mixed";

  private static final double CACHE_MEGABYTES = 64;
  private static final int BLOCKS = 8;

  /** Whose directories. */
  @Param({OURS, LUCENE})
  public String pair = "";

  /** The file that is read in the measured time. */
  @Param({MEMORY, MAPPED})
  public String file = "";

  /** Whether the JVM reads the other file too, through the same loop, outside that time. */
  @Param({ALONE, MIXED})
  public String company = "";

  private @Nullable TemporaryFolder folder;
  private List<Directory> directories = List.of();
  private List<IndexInput> inputs = List.of();
  private boolean mixed;
  private int measured;
  private long otherSum;

  /** Opens the directories and writes the files. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    mixed = oneOf("company", company, ALONE, MIXED) == 1;
    measured = oneOf("file", file, MEMORY, MAPPED);
    boolean ours = oneOf("pair", pair, OURS, LUCENE) == 0;
    TemporaryFolder newFolder = TemporaryFolder.create();
    folder = newFolder;
    directories = ours ? ours(newFolder.path()) : lucenes(newFolder.path());
    // Lucene's caching directory keeps what a flush writes, and passes on what has no context.
    Block block = block();
    IOContext flush = IOContext.flush(new FlushInfo(1, (long) BLOCKS * block.bytes().length));
    inputs =
        List.of(
            write(directories.getFirst(), "_0.dat", flush, block),
            write(directories.getLast(), "_1.dat", IOContext.DEFAULT, block));
  }

  private static List<Directory> ours(Path path) throws IOException {
    return List.of(new RamDirectory(), new MappedDirectory(path));
  }

  private static List<Directory> lucenes(Path path) throws IOException {
    return List.of(
        new NRTCachingDirectory(new MMapDirectory(path), CACHE_MEGABYTES, CACHE_MEGABYTES));
  }

  private static int oneOf(String name, String value, String first, String second) {
    int index = List.of(first, second).indexOf(value);
    if (index < 0) {
      throw new IllegalArgumentException(
          "unknown " + name + " '" + value + "', known are " + first + ", " + second);
    }
    return index;
  }

  private static IndexInput write(Directory directory, String name, IOContext context, Block block)
      throws IOException {
    try (IndexOutput out = directory.createOutput(name, context)) {
      for (int i = 0; i < BLOCKS; i++) {
        out.writeBytes(block.bytes(), block.bytes().length);
      }
    }
    return directory.openInput(name, IOContext.DEFAULT);
  }

  /** Reads the other file. */
  @Setup(Level.Invocation)
  public void keepCompany(Blackhole hole) throws IOException {
    if (mixed) {
      otherSum += sum(inputs.get(1 - measured), hole);
    }
  }

  /** Closes everything and deletes the folder. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    IOUtils.close(() -> IOUtils.close(inputs), () -> IOUtils.close(directories), folder);
  }

  /** The loop over the measured file. */
  final long sum(Blackhole hole) throws IOException {
    return sum(measuredInput(), hole);
  }

  /** The input of the measured file. */
  final IndexInput measuredInput() {
    return inputs.get(measured);
  }

  /** What the loop returned for the other file, over all invocations. */
  final long otherSum() {
    return otherSum;
  }

  /** What the files hold. */
  abstract Block block();

  /** The loop: reads from the start of the file, one value at a time, and sums up. */
  abstract long sum(IndexInput in, Blackhole hole) throws IOException;
}
