// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.schedules;

import static io.github.lucenedirectories.schedules.Race.readOrClosed;
import static io.github.lucenedirectories.schedules.Race.write;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.memory.MemoryOptions;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Races for files in memory. */
public final class MemoryRaces {

  private MemoryRaces() {}

  /** The last use of a deleted file ends, and other files take its memory, during a read. */
  public static void closeAndRead(int threads) throws IOException {
    closeAndRead(threads, IOContext.DEFAULT);
  }

  /** The same with an input that copies. */
  public static void closeAndReadOnce(int threads) throws IOException {
    closeAndRead(threads, IOContext.READONCE);
  }

  private static void closeAndRead(int threads, IOContext context) throws IOException {
    // Once closed, it closes each arena at once.
    Reaper reaper = new Reaper();
    reaper.close();
    try (OffHeapMemory memory =
            OffHeapMemory.open(new MemoryOptions("race", 1L << 20, HugePages.NEVER), reaper);
        MemoryFileTable files = new MemoryFileTable(memory)) {
      write(files.create("file", IOContext.DEFAULT), 1);
      IndexInput input = files.open("file", context);
      IndexInput clone = input.clone();
      files.delete("file");
      Race.run(
          threads,
          () -> {
            input.close();
            write(files.create("next", IOContext.DEFAULT), 2);
          },
          () -> readOrClosed(clone, 1),
          () -> write(files.create("other", IOContext.DEFAULT), 3));
    }
  }

  /** Deletes and recreates a file while other threads open and read it. */
  public static void recreateInRam(int threads) throws IOException {
    recreate(threads, new RamDirectory());
  }

  /** The same in NrtCacheDirectory. */
  public static void recreateInNrtCache(int threads) throws IOException {
    recreate(threads, new NrtCacheDirectory(new ByteBuffersDirectory(), 1, 4));
  }

  private static void recreate(int threads, Directory opened) throws IOException {
    try (Directory directory = opened) {
      write(directory.createOutput("file", IOContext.DEFAULT), 1);
      Race.run(
          threads,
          () -> {
            directory.deleteFile("file");
            write(directory.createOutput("file", IOContext.DEFAULT), 2);
          },
          () -> Race.open(directory, "file", IOContext.DEFAULT, 1, 2),
          () -> Race.open(directory, "file", IOContext.READONCE, 1, 2));
      directory.deleteFile("file");
    }
  }
}
