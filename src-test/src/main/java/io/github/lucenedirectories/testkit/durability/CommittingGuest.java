package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;

/**
 * A program that checks what a killed machine left of a {@link ChangeHistory} in persistent memory,
 * says which commit it found, and then commits as {@link CommittingProcess} does until its machine
 * is killed.
 */
public final class CommittingGuest {

  /** So small that logs are written anew and pool files are added. */
  private static final long POOL_BYTES = 2L << 20;

  private CommittingGuest() {}

  /**
   * Arguments: folder, seed of the history, the last commit that was acknowledged and the last that
   * was begun, the engine that checks, and the engine that commits; without that one it ends.
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    long seed = Long.parseLong(args[1]);
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      try (Directory directory = open(folder, args[4])) {
        long least = Long.parseLong(args[2]);
        long most = Long.parseLong(args[3]);
        long found = CommittedIndex.check(directory, new ChangeHistory(seed), least, most);
        CommittingProcess.say(out, "found " + found);
      }
      if (args.length > 5) {
        try (Directory directory = open(folder, args[5])) {
          CommittingProcess.commit(directory, seed, CommittingProcess.MOST_COMMITS, out);
        }
      }
    }
  }

  private static Directory open(Path folder, String engine) throws IOException {
    return PmemDirectory.builder(folder)
        .engine(PmemEngine.valueOf(engine))
        .mode(PmemMode.PMEM)
        .initialBytes(POOL_BYTES)
        .poolFileBytes(2 * POOL_BYTES)
        .build();
  }
}
