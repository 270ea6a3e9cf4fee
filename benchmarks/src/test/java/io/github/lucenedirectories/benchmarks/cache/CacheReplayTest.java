package io.github.lucenedirectories.benchmarks.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.cache.CacheReplay.Replayed;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheReplayTest {
  private static final int BLOCK = AccessTrace.BLOCK_BYTES;

  @TempDir private Path folder;

  /** A read of several recorded blocks asks a cache of longer blocks once for each of its own. */
  @Test
  void readOfSeveralBlocksIsOneAccessToEachOfTheCaches() throws IOException {
    AccessTrace trace = new AccessTrace();
    int file = trace.newFile();
    trace.add(file, 2, 9);
    trace.add(file, 2, 2);
    trace.add(file, 3, 3);
    trace.write(folder.resolve("trace"));
    AccessTrace read = AccessTrace.read(folder.resolve("trace"));
    assertEquals(10, read.size());
    assertEquals(8, read.distinctBlocks(0));
    assertEquals(3, read.distinctBlocks(2));
    check(new CacheReplay(read, BLOCK), 10, 2);
    // Of blocks 0 to 2, then twice of block 0.
    check(new CacheReplay(read, 4 * BLOCK), 5, 2);
  }

  private static void check(CacheReplay replay, long accesses, int hits) throws IOException {
    for (Replayed replayed : new Replayed[] {replay.ours(100, 1), replay.caffeine(100, 1)}) {
      assertEquals(accesses, replayed.accesses());
      assertEquals((double) hits / accesses, replayed.hitRate(), 1e-9);
    }
  }
}
