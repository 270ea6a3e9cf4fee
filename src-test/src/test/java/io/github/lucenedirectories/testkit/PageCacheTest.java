// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.Constants;

/** Reads of files that are in the page cache, and of those that are not. */
@LuceneTestCase.SuppressFileSystems("*") // what is asked of the kernel must be a real file
public class PageCacheTest extends LibraryTestCase {

  private static final int BYTES = 4 << 20;

  /** What {@code isLoaded} answers changes when the system takes the pages away. */
  public void testIsLoaded() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    Path folder = createTempDir();
    assumeFalse("in memory for good", Files.getFileStore(folder).type().contains("tmpfs"));
    try (Directory directory = new MappedDirectory(folder)) {
      write(directory, "file", randomBytes(BYTES));
      directory.sync(List.of("file"));
      read(directory, "file");
      requireLoaded(directory, true);
    }
    // Of a file that is mapped the system keeps the pages.
    drop(folder.resolve("file"));
    try (Directory directory = new MappedDirectory(folder)) {
      requireLoaded(directory, false);
    }
  }

  /** To others than its owner and who may write it the system does not tell of a mapped file. */
  public void testIsLoadedOfOthers() throws IOException {
    assumeTrue("other systems tell", Constants.LINUX);
    Path folder = Path.of(System.getProperty("java.home"));
    Path file = folder.resolve("release");
    assumeTrue(file + " is not there", Files.isReadable(file));
    assumeFalse(file + " may be written", Files.isWritable(file));
    String owner = Files.getOwner(file).getName();
    assumeFalse(file + " is one's own", owner.equals(System.getProperty("user.name")));
    try (Directory directory = new MappedDirectory(folder);
        IndexInput in = directory.openInput("release", IOContext.DEFAULT)) {
      assertEquals(Optional.empty(), in.isLoaded());
    }
  }

  private static void requireLoaded(Directory directory, boolean expected) throws IOException {
    try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
      assertEquals(Optional.of(expected), in.isLoaded());
    }
  }

  private static void drop(Path file) throws Exception {
    Process process =
        new ProcessBuilder("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assumeTrue("this dd drops no pages", process.waitFor() == 0);
  }

  public void testReadByPositionsAllocatesNothing() throws IOException {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    requireNothingAllocated(new NioDirectory(createTempDir()));
  }

  public void testHitOfBlockCacheAllocatesNothing() throws IOException {
    try (BlockCache cache = BlockCache.builder().maxBytes(2 * BYTES).build()) {
      requireNothingAllocated(new BlockCacheDirectory(new NioDirectory(createTempDir()), cache));
    }
  }

  private static void requireNothingAllocated(Directory opened) throws IOException {
    try (Directory directory = opened) {
      write(directory, "file", new byte[BYTES]);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        RandomAccessInput access = in.randomAccessSlice(0, in.length());
        byte[] bytes = new byte[BYTES >> 4];
        Random random = new Random(random().nextLong());
        long[] sum = {0};
        int reads = 5_000;
        // Less than an object for each read, which has 16 bytes.
        long few = 8L * reads;
        long allocated =
            Allocations.ofRound(
                few,
                () -> {
                  for (int i = 0; i < reads; i++) {
                    sum[0] += access.readLong(random.nextInt(BYTES - Long.BYTES));
                    if (i % 500 == 0) {
                      int pos = random.nextInt(BYTES - bytes.length);
                      access.readBytes(pos, bytes, 0, bytes.length);
                    }
                  }
                });
        assertEquals(0, sum[0]);
        assertTrue("allocated=" + allocated + ", reads=" + reads, allocated < few);
      }
    }
  }
}
