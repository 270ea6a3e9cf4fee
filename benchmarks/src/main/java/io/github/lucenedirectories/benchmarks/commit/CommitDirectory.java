package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.directories.BackedRamDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** A kind of directory whose commits last, each with the way to open it on a folder. */
enum CommitDirectory {
  MMAP(MMapDirectory::new),

  /** In memory, durable through files. */
  RAM_BACKED(BackedRamDirectory::open),

  /** Flushes cache lines to whatever lies behind the folder. */
  PMEM_EMULATED(folder -> pools(folder, PmemEngine.LLPL, PmemMode.EMULATED)),

  /** Syncs its pools as files are. */
  PMEM_FILE(folder -> pools(folder, PmemEngine.JDK, PmemMode.FILE)),

  /** Flushes cache lines to persistent memory. */
  PMEM_LLPL(folder -> pools(folder, PmemEngine.LLPL, PmemMode.PMEM)),

  /** As the last, by the Java runtime's own means. */
  PMEM_JDK(folder -> pools(folder, PmemEngine.JDK, PmemMode.PMEM));

  private interface Opener {
    Directory open(Path folder) throws IOException;
  }

  private final Opener opener;

  CommitDirectory(Opener opener) {
    this.opener = opener;
  }

  /**
   * Opens or makes one. The caller closes it.
   *
   * @param folder with what an earlier one has left, or without anything
   */
  Directory open(Path folder) throws IOException {
    return opener.open(folder);
  }

  /** Pools that are made quickly, and have room for a fork's documents. */
  private static Directory pools(Path folder, PmemEngine engine, PmemMode mode) throws IOException {
    long bytes = 1L << 26;
    return PmemDirectory.builder(folder)
        .engine(engine)
        .mode(mode)
        .initialBytes(bytes)
        .poolFileBytes(bytes)
        .preTouch(true)
        .build();
  }
}
