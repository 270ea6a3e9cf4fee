// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOUtils;

/** Opens a {@link PmemDirectory} in each of its ways. */
final class PmemVariants {

  /* What a page for the end of each file, the metadata and the files of a writer take besides. */
  private static final long SPARE_BYTES = 1L << 26;
  private static final int SPARE_SHARE = 8;

  private static final List<Mapping> MAPPINGS =
      List.of(
          new Mapping(PmemEngine.LLPL, PmemMode.PMEM),
          new Mapping(PmemEngine.JDK, PmemMode.PMEM),
          new Mapping(PmemEngine.LLPL, PmemMode.EMULATED),
          new Mapping(PmemEngine.JDK, PmemMode.FILE));

  private record Mapping(PmemEngine engine, PmemMode mode) {}

  private PmemVariants() {}

  /** By one engine in one mode. */
  static Directory open(Path folder, long poolBytes, PmemEngine engine, PmemMode mode)
      throws IOException {
    return PmemDirectory.builder(folder)
        .engine(engine)
        .mode(mode)
        .initialBytes(poolBytes)
        .poolFileBytes(poolBytes)
        .build();
  }

  /**
   * By the best way that works here: persistent memory; ordinary memory that is flushed to as if it
   * were persistent; where LLPL cannot be loaded, pools that are synced as files are.
   */
  static Directory openBest(Path folder, long poolBytes) throws IOException {
    IOException refused = new IOException("no pool can be made: folder=" + folder);
    for (Mapping mapping : MAPPINGS) {
      Path pools = folder.resolve(mapping.mode() + "-" + mapping.engine());
      try {
        return open(Files.createDirectories(pools), poolBytes, mapping.engine(), mapping.mode());
      } catch (IOException e) {
        refused.addSuppressed(e);
        IOUtils.rm(pools);
      }
    }
    throw refused;
  }

  /** A copy of an index's last commit. */
  static Directory read(Path index, Path scratch) throws IOException {
    long bytes = SPARE_BYTES;
    try (Directory files = new MMapDirectory(index)) {
      bytes += LastCommit.bytes(files);
    }
    return LastCommit.copied(index, openBest(scratch, bytes + bytes / SPARE_SHARE));
  }
}
