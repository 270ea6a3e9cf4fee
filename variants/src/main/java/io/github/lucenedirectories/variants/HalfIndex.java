package io.github.lucenedirectories.variants;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOUtils;

/** Reads half of an index's segments from memory and the others from files. */
final class HalfIndex {
  private static final double UNLIMITED_MEGABYTES = 1 << 20;

  /* So small that the cache takes it. */
  private static final IOContext SMALL_FLUSH = IOContext.flush(new FlushInfo(1, 1));

  private HalfIndex() {}

  /** Half in a RamDirectory, the others mapped: two of this project's directories in one JVM. */
  static Directory inRam(Path index) throws IOException {
    Directory files = new MappedDirectory(index);
    Directory memory = null;
    try {
      memory = new RamDirectory();
      Set<String> half = Commit.half(files);
      Commit.copy(files, half, memory, IOContext.DEFAULT);
      return new Split(files, memory, half);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, memory, files);
      throw t;
    }
  }

  /** Half in the cache of Lucene's NRTCachingDirectory, the others mapped. */
  static Directory inCache(Path index) throws IOException {
    Directory files = new MMapDirectory(index);
    Directory cached = new Cached(files);
    try {
      Commit.copy(files, Commit.half(files), cached, SMALL_FLUSH);
      return cached;
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, cached);
      throw t;
    }
  }

  /** An input comes straight from its directory, without a wrapper. */
  private static final class Split extends ReadOnlyDirectory {
    private final Directory memory;
    private final Set<String> inMemory;

    Split(Directory files, Directory memory, Set<String> inMemory) {
      super(files);
      this.memory = memory;
      this.inMemory = inMemory;
    }

    private Directory of(String name) {
      return inMemory.contains(name) ? memory : in;
    }

    @Override
    public long fileLength(String name) throws IOException {
      return of(name).fileLength(name);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      return of(name).openInput(name, context);
    }

    @Override
    public void close() throws IOException {
      try (memory) {
        super.close();
      }
    }
  }

  /** Drops its cached copies when it is closed: Lucene's class would write them to the index. */
  private static final class Cached extends NRTCachingDirectory {
    Cached(Directory files) {
      super(new ReadOnlyDirectory(files), UNLIMITED_MEGABYTES, UNLIMITED_MEGABYTES);
    }

    @Override
    public void close() throws IOException {
      for (String name : listCachedFiles()) {
        deleteFile(name);
      }
      super.close();
    }
  }
}
