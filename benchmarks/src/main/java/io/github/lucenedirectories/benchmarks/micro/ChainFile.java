package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A file much larger than the processor's caches and TLB, made of 8-byte positions, each naming the
 * next one, in one random cycle through all of them.
 *
 * <p>It is synced and read once before the measured time, so that a directory over files reads from
 * a page cache that holds all of it and that nothing is written from. {@code NIOFSDirectory} and
 * {@code NioDirectory} can be asked for; {@code ByteBuffersDirectory} needs a heap beyond the
 * file's length.
 */
@State(Scope.Benchmark)
public class ChainFile {
  /** The parameter that is the file's length. */
  static final String LENGTH = "chainBytes";

  /** The length for a first look. */
  static final String QUICK_LENGTH = "256m";

  static final long MIN_BYTES = 1L << 16;
  static final long MAX_BYTES = 1L << 40;

  /** How often pages are read that the system takes back. */
  private static final int MOST_PASSES = 100;

  private static final String NAME = "_0.dat";
  private static final int PAGE_BYTES = 1 << 12;

  /** What a fork takes beside the file and the rest of its heap. */
  private static final long MARGIN_BYTES = 1L << 29;

  /** The simple name of the directory's class. */
  @Param({"RamDirectory", "MappedDirectory", "MMapDirectory"})
  public String directory = "";

  /** The file's length, a power of two. */
  @Param("4g")
  public String chainBytes = "";

  private @Nullable TemporaryFolder folder;
  private @Nullable Directory open;
  private @Nullable IndexInput input;

  /** Writes the file, makes it durable, opens it and reads it once. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    long bytes = parse(chainBytes);
    TemporaryFolder newFolder = TemporaryFolder.create();
    folder = newFolder;
    Directory newDirectory = DirectoryKind.named(directory).open(newFolder.path());
    open = newDirectory;
    write(newDirectory, bytes);
    IndexInput newInput =
        newDirectory.openInput(
            NAME, IOContext.DEFAULT.withHints(FileTypeHint.DATA, DataAccessHint.RANDOM));
    input = newInput;
    touch(newInput);
  }

  private static void write(Directory directory, long bytes) throws IOException {
    long slots = bytes / Long.BYTES;
    RandomCycle cycle = new RandomCycle(Long.numberOfTrailingZeros(slots));
    try (IndexOutput out = directory.createOutput(NAME, IOContext.DEFAULT)) {
      for (long slot = 0; slot < slots; slot++) {
        out.writeLong(cycle.next(slot) * Long.BYTES);
      }
    }
    directory.sync(List.of(NAME));
  }

  /** Reads a byte of each page, again if the system has taken some back meanwhile. */
  private static void touch(IndexInput in) throws IOException {
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      for (long position = 0; position < in.length(); position += PAGE_BYTES) {
        in.seek(position);
        in.readByte();
      }
      if (!in.isLoaded().equals(Optional.of(false))) {
        return;
      }
    }
    throw new IOException("not in memory after it was read, something else needs it: " + in);
  }

  /** Closes everything and deletes the folder. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    IOUtils.close(input, open, folder);
  }

  /** A clone of the input for one thread. */
  final IndexInput cloneInput() {
    IndexInput opened = input;
    if (opened == null) {
      throw new IllegalStateException("not set up: directory=" + directory);
    }
    return opened.clone();
  }

  /**
   * A length as a user writes it.
   *
   * @throws IllegalArgumentException if it is not a power of two from {@link #MIN_BYTES} to {@link
   *     #MAX_BYTES}
   */
  static long parse(String text) {
    long bytes = ByteCount.parse(text);
    if (bytes < MIN_BYTES || bytes > MAX_BYTES || Long.bitCount(bytes) != 1) {
      throw new IllegalArgumentException("not a power of two from 64k to 1024g: '" + text + "'");
    }
    return bytes;
  }

  /**
   * Checks that a fork can have a file of this length in memory and in a folder.
   *
   * @param heapBytes the largest heap of a fork
   * @param onHeap whether a directory is to hold the file there
   * @throws UsageException if there is too little room
   */
  static void checkRoom(Path folder, String chainBytes, long heapBytes, boolean onHeap)
      throws IOException {
    String remedy = "a shorter file: -p " + LENGTH + "=" + QUICK_LENGTH;
    long bytes = parse(chainBytes);
    if (onHeap && heapBytes < bytes + MARGIN_BYTES) {
      throw new UsageException(
          DirectoryKind.LUCENE_HEAP.className()
              + " needs a heap of "
              + Numbers.bytes(bytes + MARGIN_BYTES)
              + " for "
              + LENGTH
              + "="
              + chainBytes
              + ": leave it out, give --jvm-arg=-Xmx, or take "
              + remedy);
    }
    Room.checkDisk(folder, bytes, remedy);
    Room.checkMemory(bytes + heapBytes + MARGIN_BYTES, remedy);
  }
}
