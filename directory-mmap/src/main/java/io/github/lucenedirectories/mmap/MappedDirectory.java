// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;

/**
 * A directory on a file system that maps files into memory to read them.
 *
 * {@snippet :
 * try (Directory directory = new MappedDirectory(path);
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   new IndexSearcher(reader).search(MatchAllDocsQuery.INSTANCE, 10);
 * }
 * }
 *
 * <p>It is the fastest way to read an index that fits in the page cache. Closing an input, or a
 * reader, does not wait for the file to be unmapped: a background thread does that. A file that is
 * read once from beginning to end is read by positions and never mapped. So is every file of a file
 * system other than Java's default one. Near the system's limit of mappings per process ({@code
 * vm.max_map_count}), files are read by positions too. On 64-bit Linux, it advises the kernel not
 * to read around the requested pages of stored fields, term vectors, and the raw vectors behind
 * quantized ones; a merge reads such files by positions. Linux does not see that such pages are
 * used; only once the files of a {@link HybridDirectory} of the process did not fit in memory are
 * they shown through a second mapping. On other platforms it gives no advice, and {@link #toString}
 * says so.
 *
 * <p>Durability, names and threads are as in {@link NioDirectory}. {@link #close} ends the
 * background thread; inputs that are still open stay readable and are unmapped when they are
 * closed.
 */
@SuppressWarnings("exports") // users see the methods of FSDirectory
public final class MappedDirectory extends FileDirectory {

  private final Reaper reaper;

  /** Opens a directory in a folder, created if missing, with the default lock factory. */
  public MappedDirectory(Path path) throws IOException {
    this(builder(path));
  }

  /** Opens a directory in a folder, which is created if missing. */
  public MappedDirectory(Path path, LockFactory lockFactory) throws IOException {
    this(builder(path).lockFactory(lockFactory));
  }

  private MappedDirectory(Builder builder) throws IOException {
    Reaper reaper = new Reaper("MappedDirectory@" + builder.path);
    FileMapper mapper =
        new FileMapper(builder.chunkBytes, reaper, MappingCount.OF_PROCESS, builder.preload);
    MappedFiles files = new MappedFiles(builder.path, Map.of(), mapper, null);
    super(builder.path, builder.lockFactory, files, () -> NO_MERGE_BYTES);
    this.reaper = reaper;
  }

  /** A builder with the defaults of {@link #MappedDirectory(Path)}. */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  @Override
  @SuppressWarnings(
      "UnsynchronizedOverridesSynchronized") // the reaper is waited for without a lock
  public void close() throws IOException {
    // In this order: the superclass deletes files that could not be deleted while they were mapped.
    IOUtils.close(reaper, super::close);
  }

  @Override
  public void report(Sink sink) {
    super.report(sink);
    MappingCount.OF_PROCESS.report(sink);
  }

  /** Says where the files are, and whether the kernel can be advised. */
  @Override
  public String toString() {
    return super.toString()
        + (FileMapper.canMap(directory) ? "" : " not mapped (not on the default file system)")
        + " advice="
        + NativeCalls.get()
            .map(_ -> "madvise")
            .orElseGet(() -> "none (" + NativeCalls.whyAbsent() + ")");
  }

  /** Options of a {@link MappedDirectory}. */
  public static final class Builder {
    private final Path path;
    private LockFactory lockFactory = FSLockFactory.getDefault();
    private long chunkBytes = Chunks.LARGEST_BYTES;
    private Set<String> preload = Set.of();

    private Builder(Path path) {
      this.path = path;
    }

    /** Sets the lock factory; by default {@link FSLockFactory#getDefault}. */
    public Builder lockFactory(LockFactory factory) {
      lockFactory = factory;
      return this;
    }

    /**
     * Sets the longest range that is read as one segment; by default 64 GiB. Lucene decodes with
     * SIMD instructions only from a file or slice that is not longer.
     *
     * @param bytes a power of two
     */
    public Builder chunkBytes(long bytes) {
      chunkBytes = Chunks.checkOption(bytes);
      return this;
    }

    /**
     * Sets which files are loaded into memory when they are opened, by their extensions without a
     * dot; {@code "*"} is for all, none is the default. Opening then takes as long as reading.
     */
    public Builder preload(Set<String> extensions) {
      preload = Set.copyOf(extensions);
      return this;
    }

    /**
     * Opens the directory.
     *
     * @throws IOException if the folder cannot be created
     */
    public MappedDirectory build() throws IOException {
      return new MappedDirectory(this);
    }
  }
}
