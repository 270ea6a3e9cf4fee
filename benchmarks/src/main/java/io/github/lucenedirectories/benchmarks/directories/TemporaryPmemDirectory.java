package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.forks.MemoryFolder;
import io.github.lucenedirectories.benchmarks.forks.Workspace;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;

/**
 * A PmemDirectory in a folder of its own, in memory wherever that can be, which goes when it is
 * closed. It flushes cache lines to that memory as to persistent memory; where LLPL cannot be
 * loaded it is synced as files are.
 */
final class TemporaryPmemDirectory extends FilterDirectory {
  /* An index of the default text and what merges leave behind have room in it. */
  private static final long POOL_BYTES = 1L << 29;
  private static final long LATER_POOL_BYTES = 1L << 28;

  /* What a page for the end of each file, the metadata and the files of a writer take besides. */
  private static final long SPARE_BYTES = 1L << 26;
  private static final int SPARE_SHARE = 8;

  private final Path folder;

  private TemporaryPmemDirectory(PmemDirectory in, Path folder) {
    super(in);
    this.folder = folder;
  }

  /** An empty one, whose memory has been touched. */
  static TemporaryPmemDirectory create() throws IOException {
    return create(POOL_BYTES);
  }

  private static TemporaryPmemDirectory create(long bytes) throws IOException {
    Path folder = MemoryFolder.create();
    try {
      return new TemporaryPmemDirectory(open(folder, bytes), folder);
    } catch (IOException | RuntimeException e) {
      Workspace.deleteTree(folder);
      throw e;
    }
  }

  private static PmemDirectory open(Path folder, long bytes) throws IOException {
    PmemDirectory.Builder builder =
        PmemDirectory.builder(folder)
            .initialBytes(bytes)
            .poolFileBytes(LATER_POOL_BYTES)
            .preTouch(true);
    try {
      return builder.engine(PmemEngine.LLPL).mode(PmemMode.EMULATED).build();
    } catch (IOException e) {
      try {
        return builder.engine(PmemEngine.JDK).mode(PmemMode.FILE).build();
      } catch (IOException | RuntimeException failure) {
        failure.addSuppressed(e);
        throw failure;
      }
    }
  }

  /** One with a copy of an index's last commit. */
  static TemporaryPmemDirectory load(Directory index) throws IOException {
    Collection<String> files = CommitFiles.all(index);
    long bytes = SPARE_BYTES;
    for (String name : files) {
      bytes += index.fileLength(name);
    }
    TemporaryPmemDirectory directory = create(bytes + bytes / SPARE_SHARE);
    try {
      CommitFiles.copy(index, files, directory, IOContext.DEFAULT);
      directory.sync(files);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(directory);
      throw e;
    }
    return directory;
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
