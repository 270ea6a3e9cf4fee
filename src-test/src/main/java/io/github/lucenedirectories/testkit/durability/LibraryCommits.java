// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.Owned;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.SuppressForbidden;

/** A {@link CommittingProcess} on one of the library's directories. */
public final class LibraryCommits {

  private static final long LIMIT_BYTES = 256L << 20;
  private static final long POOL_BYTES = 64L << 20;

  /** Full after some commits. */
  private static final long JOURNAL_BYTES = 1L << 18;

  /** Small enough that logs are compacted and pool files are added. */
  private static final long GUEST_POOL_BYTES = 2L << 20;

  private LibraryCommits() {}

  /**
   * Arguments: folder, seed of the history, how many commits, and the directory: {@code mmap},
   * {@code pmem} (mode EMULATED), {@code LLPL} or {@code JDK} (mode PMEM), {@code journal} (with a
   * journal next to the folder), or the directory below a {@link RamDirectory}, {@code nio} or
   * {@code mapped}, with {@code -behind} after it to write behind. Three more let it first check
   * what a killed machine left, and say what was found: the last commit that was acknowledged, the
   * last that was begun, and the directory.
   */
  @SuppressForbidden(reason = "the output is what the starter of this program reads")
  public static void main(String[] args) throws IOException {
    if (args.length > 4) {
      ChangeHistory history = new ChangeHistory(Long.parseLong(args[1]));
      try (Directory directory = open(Path.of(args[0]), args[6])) {
        long acknowledged = Long.parseLong(args[4]);
        long attempted = Long.parseLong(args[5]);
        System.out.println("found " + history.check(directory, acknowledged, attempted));
      }
    }
    CommittingProcess.run(args, folder -> open(folder, args[3]));
  }

  private static Directory open(Path folder, String kind) throws IOException {
    return switch (kind) {
      case "mmap" -> new MMapDirectory(folder);
      case "pmem" ->
          PmemDirectory.builder(folder).mode(PmemMode.EMULATED).initialBytes(POOL_BYTES).build();
      case "LLPL", "JDK" ->
          PmemDirectory.builder(folder)
              .engine(PmemEngine.valueOf(kind))
              .mode(PmemMode.PMEM)
              .initialBytes(GUEST_POOL_BYTES)
              .poolFileBytes(2 * GUEST_POOL_BYTES)
              .build();
      case "journal" ->
          Owned.over(
              CommitJournal.open(
                  folder.resolveSibling(folder.getFileName() + ".journal"), JOURNAL_BYTES),
              journal -> new NrtCacheDirectory(new NioDirectory(folder), journal));
      default -> {
        boolean mapped = kind.equals("mapped");
        yield Owned.over(
            mapped ? new MappedDirectory(folder) : new NioDirectory(folder),
            backing -> RamDirectory.builder().backing(backing).maxBytes(LIMIT_BYTES).build());
      }
    };
  }
}
