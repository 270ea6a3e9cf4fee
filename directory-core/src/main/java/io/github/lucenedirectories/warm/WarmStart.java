// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.warm;

import io.github.lucenedirectories.LoadProgress;
import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.PositionalFile.Resident;
import io.github.lucenedirectories.internal.os.BackgroundThread;
import io.github.lucenedirectories.internal.os.Events;
import io.github.lucenedirectories.internal.os.ProcFs;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import io.github.lucenedirectories.internal.store.FileKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which parts of an index are in memory, and loads them after a restart.
 *
 * {@snippet :
 * try (Directory directory = new MappedDirectory(path);
 *     WarmStart warm = WarmStart.builder(directory).start();
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   new IndexSearcher(reader).search(MatchAllDocsQuery.INSTANCE, 10);
 * }
 * }
 *
 * <p>A background thread loads what the image names, 256 KiB at a time, until memory is full. It
 * pauses after each read, for longer the more bytes the process reads from devices otherwise. Then
 * it saves the image from time to time and in {@link #close}: a few KiB per GiB of index, without a
 * sync. A missing, damaged or outdated image does no harm. The memory is the cache of a {@code
 * BlockCacheDirectory}, or the page cache for any other directory on files. No failure reaches the
 * user's code. All methods may be called from any thread. Close it before the directory.
 */
public final class WarmStart implements Closeable {

  private static final Logger LOG = Logger.getLogger(WarmStart.class.getName());
  private static final int PIECE_BYTES = 1 << 18;
  private static final long MOST_PAUSE_NANOS = 64_000_000;

  private final Builder options;
  private final Directory directory;
  private final Path image;
  private final Thread thread = BackgroundThread.unstarted("warm", this::run);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean failed = new AtomicBoolean();
  private final AtomicLong doneBytes = new AtomicLong();
  private final AtomicLong totalBytes = new AtomicLong();
  private volatile String state = "loading";
  private volatile String saved = "not saved yet";

  /** What the last image names and is not loaded yet, by file; of the thread alone. */
  private final Map<String, Resident> waiting = new HashMap<>();

  private WarmStart(Builder builder) {
    options = builder;
    directory = builder.directory;
    requireFiles(directory);
    if (builder.image != null) {
      image = builder.image;
    } else if (FilterDirectory.unwrap(directory) instanceof FSDirectory folder) {
      image = folder.getDirectory().resolve("warm-start.image");
    } else {
      throw new IllegalArgumentException("image(path) must be set: directory=" + directory);
    }
    if (Files.exists(image) && !Files.isRegularFile(image)) {
      throw new IllegalArgumentException("image(path) must name a regular file or none: " + image);
    }
  }

  private static void requireFiles(Directory directory) {
    if (!(directory instanceof FSDirectory || directory instanceof FilterDirectory)) {
      throw new IllegalArgumentException("must be on files: directory=" + directory);
    }
  }

  /** Opens a file where its bytes are cached: in a block cache, or else in the page cache. */
  static PositionalFile open(Directory directory, String name) throws IOException {
    if (directory instanceof FSDirectory folder) {
      return PositionalFile.open(folder.getDirectory().resolve(name));
    }
    IndexInput input = directory.openInput(name, IOContext.DEFAULT);
    if (input instanceof BlockIndexInput found) {
      return found.file();
    }
    input.close();
    if (directory instanceof FilterDirectory wrapper) {
      return open(wrapper.getDelegate(), name);
    }
    throw new NoSuchFileException(name, null, "neither on files nor in a block cache");
  }

  /** Returns a builder; its methods name the defaults. */
  public static Builder builder(Directory directory) {
    return new Builder(directory);
  }

  /**
   * How many bytes of a file are in memory.
   *
   * @param name the name of the file
   * @param bytes its length
   * @param residentBytes how many of them are in memory
   */
  public record FileResidency(String name, long bytes, long residentBytes) {}

  /**
   * What is in memory of a directory's index files; asking loads nothing. Empty if the system does
   * not tell: it is not Linux or macOS, or the process neither owns nor may write the files.
   */
  public static Optional<List<FileResidency>> residency(Directory directory) throws IOException {
    List<FileResidency> all = new ArrayList<>();
    requireFiles(directory);
    Optional<Map<String, Resident>> now = resident(directory);
    now.orElse(Map.of())
        .forEach((name, file) -> all.add(new FileResidency(name, file.length(), file.bytes())));
    return now.map(_ -> all);
  }

  private static Optional<Map<String, Resident>> resident(Directory directory) throws IOException {
    Map<String, Resident> all = new TreeMap<>();
    for (String name : directory.listAll()) {
      if (name.startsWith(IndexFileNames.SEGMENTS)
          || IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()) {
        try (PositionalFile file = open(directory, name)) {
          Optional<Resident> now = file.resident();
          if (now.isEmpty()) {
            return Optional.empty();
          }
          all.put(name, now.get());
        } catch (IOException _) {
          // Deleted meanwhile, or not a file.
        }
      }
    }
    return Optional.of(all);
  }

  private void run() {
    Events.WarmStart event = new Events.WarmStart();
    event.begin();
    try {
      state = load();
    } catch (Throwable t) {
      // Also an error of the user's listener: the image is saved all the same.
      state = "loading ended, " + t;
      if (!(t instanceof IOException)) {
        logOnce(t);
      }
    }
    event.what = toString();
    event.commit();
    ended.countDown();
    while (!closes(options.saveNanos)) {
      save();
    }
    save();
  }

  private boolean closes(long nanos) {
    try {
      return closing.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private String load() throws IOException {
    Map<String, Resident> last = WarmImage.read(image);
    Map<String, Resident> now = resident(directory).orElse(Map.of());
    last.forEach(
        (name, file) -> {
          Resident found = now.get(name);
          if (found != null && file.isSameFile(found)) {
            file.units().andNot(found.units());
            waiting.put(name, file);
            totalBytes.addAndGet((long) file.units().cardinality() * file.unitBytes());
          }
        });
    Loading loading = new Loading(now);
    for (String name : inOrder(waiting.keySet())) {
      Resident file = Objects.requireNonNull(waiting.get(name));
      if (!loading.load(name, file.units(), file.unitBytes())) {
        if (closes(0)) {
          return "closed while loading";
        }
        waiting.clear();
        return "memory is full";
      }
      waiting.remove(name);
    }
    return "loaded";
  }

  /** Hot kinds first: metadata and indexes, then others, then stored fields and raw vectors. */
  private static List<String> inOrder(Collection<String> names) {
    Comparator<String> byRank = Comparator.comparingInt(WarmStart::rank);
    return names.stream().sorted(byRank.thenComparing(Comparator.naturalOrder())).toList();
  }

  private static int rank(String name) {
    return switch (extension(name)) {
      case "si", "fnm", "cfe", "tip", "tmd", "psm", "nvm", "nvd", "dvm", "kdm", "kdi", "fdx" -> 0;
      default -> FileKind.of(name, IOContext.DEFAULT).isCold() ? 2 : 1;
    };
  }

  private static String extension(String name) {
    return String.valueOf(IndexFileNames.getExtension(name));
  }

  private void save() {
    try {
      Optional<Map<String, Resident>> now = resident(directory);
      if (now.isPresent()) {
        waiting.forEach(
            (name, file) -> {
              Resident found = now.get().get(name);
              if (found != null && file.isSameFile(found)) {
                found.units().or(file.units());
              }
            });
        WarmImage.write(image, now.get());
      }
      saved = now.isPresent() ? "saved" : "not saved, the system does not tell what is in memory";
    } catch (IOException | RuntimeException e) {
      saved = "cannot save: " + e;
      logOnce(e);
    }
  }

  private void logOnce(Throwable e) {
    if (failed.compareAndSet(false, true)) {
      LOG.log(Level.WARNING, "a warm start failed, which costs speed only: " + this, e);
    }
  }

  /** Waits until loading has ended; returns false if that took longer than the timeout. */
  public boolean awaitLoaded(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Stops loading, saves the image, with what was not loaded yet, and ends the thread. */
  @Override
  public void close() {
    closing.countDown();
    if (Thread.currentThread() != thread) {
      Uninterruptibles.join(thread);
    }
  }

  /** Names the image, how many bytes were loaded of how many, and what ended that. */
  @Override
  public String toString() {
    return ("WarmStart(image=" + image + " loadedBytes=" + doneBytes + " totalBytes=" + totalBytes)
        + (" state=\"" + state + "\" saved=\"" + saved + "\")");
  }

  /** Loads units by blocking reads, so that at most one piece is in flight. */
  private final class Loading {
    private final byte[] scratch = new byte[PIECE_BYTES];
    private OptionalLong deviceBytes = ProcFs.deviceReadBytes();
    private long residentBytes;

    Loading(Map<String, Resident> now) {
      now.values().forEach(file -> residentBytes += file.bytes());
    }

    /** Loads units of a file; returns false if memory is full or this warm start closes. */
    boolean load(String name, BitSet units, int unitBytes) {
      LongSupplier most = options.memoryBytes;
      try (PositionalFile file = open(directory, name)) {
        long room = most == null ? file.roomBytes(residentBytes) : most.getAsLong() - residentBytes;
        file.takeOverReadAhead();
        int next;
        for (int unit = units.nextSetBit(0); unit >= 0; unit = units.nextSetBit(next)) {
          next = Math.min(units.nextClearBit(unit), unit + PIECE_BYTES / unitBytes);
          long pos = (long) unit * unitBytes;
          int bytes = (next - unit) * unitBytes;
          int inFile = Math.clamp(file.length() - pos, 0, bytes);
          if (closes(0) || inFile > room) {
            return false;
          }
          load(file, pos, inFile);
          room -= inFile;
          options.progress.loaded(
              directory.toString(), doneBytes.addAndGet(bytes), totalBytes.get());
        }
      } catch (IOException _) {
        // Deleted meanwhile, or not readable, which a query will report.
      }
      return true;
    }

    private void load(PositionalFile file, long pos, int bytes) throws IOException {
      long begun = System.nanoTime();
      file.load(pos, bytes, scratch);
      residentBytes += bytes;
      long took = System.nanoTime() - begun;
      long before = deviceBytes.orElse(0);
      deviceBytes = ProcFs.deviceReadBytes();
      long read = deviceBytes.orElse(before) - before;
      boolean _ = closes(pauseNanos(took, bytes, read));
    }
  }

  /**
   * How long to pause after a read: half its time for each byte that others read meanwhile per byte
   * of its own. Queries that read ahead load the index as fast as this does, so they get the
   * device; those that wait for single pages read so little that they lose nothing.
   *
   * @param readBytes what the process read from devices since the pause before it
   */
  static long pauseNanos(long tookNanos, int bytes, long readBytes) {
    double others = (double) Math.max(0, readBytes - bytes) / bytes;
    return (long) Math.min(tookNanos / 2.0 * others, MOST_PAUSE_NANOS);
  }

  /** Options of a {@link WarmStart}. */
  public static final class Builder {
    private final Directory directory;
    private @Nullable Path image;
    private long saveNanos = TimeUnit.MINUTES.toNanos(5);
    private @Nullable LongSupplier memoryBytes;
    private LoadProgress progress = (_, _, _) -> {};

    private Builder(Directory directory) {
      this.directory = directory;
    }

    /**
     * The file of the image; by default {@code warm-start.image} beside the index. Each directory
     * needs its own: of two that share it, the last to save wins.
     */
    public Builder image(Path path) {
      image = path;
      return this;
    }

    /** The time between saves; by default five minutes. */
    public Builder saveEvery(Duration time) {
      saveNanos = Math.max(1, time.toNanos());
      return this;
    }

    /**
     * How many bytes of the index may be in memory; by default as many as page or block cache take.
     */
    public Builder memoryBytes(LongSupplier bytes) {
      memoryBytes = bytes;
      return this;
    }

    /** A listener for the loading; by default there is none. */
    public Builder progress(LoadProgress listener) {
      progress = listener;
      return this;
    }

    /**
     * Starts; throws if the directory is not on files, no image is named and it has no folder, or
     * the image is not a regular file.
     */
    public WarmStart start() {
      WarmStart warm = new WarmStart(this);
      warm.thread.start();
      return warm;
    }
  }
}
