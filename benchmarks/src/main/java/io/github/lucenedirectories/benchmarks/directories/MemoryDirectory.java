package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.harness.MemoryFolder;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOUtils;

/**
 * A directory in a folder of its own, on persistent memory or on what stands for it, which goes
 * when it is closed.
 */
final class MemoryDirectory extends FilterDirectory {
  /* An index of the default text and what merges leave behind have room in it. */
  private static final long POOL_BYTES = 1L << 29;
  private static final long LATER_POOL_BYTES = 1L << 28;

  /* What a page for the end of each file, the metadata and the files of a writer take besides. */
  private static final long SPARE_BYTES = 1L << 26;
  private static final int SPARE_SHARE = 8;

  /**
   * From the best down: persistent memory, ordinary memory that is flushed to as if it were, and
   * where LLPL cannot be loaded, pools that are synced as files are.
   */
  private static final List<Opener> POOLS =
      List.of(
          (folder, bytes) -> builder(folder, bytes).mode(PmemMode.PMEM).build(),
          (folder, bytes) ->
              builder(folder, bytes).engine(PmemEngine.LLPL).mode(PmemMode.EMULATED).build(),
          (folder, bytes) ->
              builder(folder, bytes).engine(PmemEngine.JDK).mode(PmemMode.FILE).build());

  private static final List<Opener> MAPPED = List.of((folder, bytes) -> new MMapDirectory(folder));

  private final Path folder;
  private final String place;

  private interface Opener {
    /**
     * @param bytes that there has to be room for
     */
    Directory open(Path folder, long bytes) throws IOException;
  }

  private MemoryDirectory(Directory in, Path folder, String place) {
    super(in);
    this.folder = folder;
    this.place = place;
  }

  /** An empty PmemDirectory, whose memory has been touched. */
  static Directory pools() throws IOException {
    return create(POOLS, POOL_BYTES);
  }

  /** A PmemDirectory with a copy of an index's last commit. */
  static Directory loadedPools(Path index) throws IOException {
    return load(POOLS, index);
  }

  /** An empty MMapDirectory. */
  static Directory mapped() throws IOException {
    return create(MAPPED, 0);
  }

  /** An MMapDirectory with a copy of an index's last commit. */
  static Directory loadedMapped(Path index) throws IOException {
    return load(MAPPED, index);
  }

  private static PmemDirectory.Builder builder(Path folder, long bytes) {
    return PmemDirectory.builder(folder)
        .initialBytes(bytes)
        .poolFileBytes(LATER_POOL_BYTES)
        .preTouch(true);
  }

  /** By the first of some ways that works. */
  private static Directory create(List<Opener> ways, long bytes) throws IOException {
    IOException refused = null;
    for (Opener way : ways) {
      Path folder = MemoryFolder.create();
      try {
        String place = Files.getFileStore(folder).type();
        return new MemoryDirectory(way.open(folder, bytes), folder, place);
      } catch (IOException e) {
        Workspace.deleteTree(folder);
        if (refused != null) {
          e.addSuppressed(refused);
        }
        refused = e;
      } catch (RuntimeException e) {
        Workspace.deleteTree(folder);
        throw e;
      }
    }
    IOException last = Objects.requireNonNull(refused);
    throw new IOException(
        "no directory in memory can be made: " + PersistentMemory.reason(last), last);
  }

  private static Directory load(List<Opener> ways, Path path) throws IOException {
    try (Directory index = new MMapDirectory(path)) {
      Collection<String> files = CommitFiles.all(index);
      long bytes = SPARE_BYTES;
      for (String name : files) {
        bytes += index.fileLength(name);
      }
      Directory directory = create(ways, bytes + bytes / SPARE_SHARE);
      try {
        CommitFiles.copy(index, files, directory, IOContext.DEFAULT);
        directory.sync(files);
      } catch (IOException | RuntimeException e) {
        IOUtils.closeWhileHandlingException(directory);
        throw e;
      }
      return directory;
    }
  }

  @Override
  public String toString() {
    return in + " on " + place;
  }

  @Override
  public void close() throws IOException {
    try {
      in.close();
    } finally {
      Workspace.deleteTree(folder);
    }
  }
}
