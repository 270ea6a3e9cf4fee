// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/** The blocks of a cache while others take their slots. */
public class CachedBlocksTest extends LibraryTestCase {

  private static final int BLOCK_BYTES = 1 << 18;
  private static final int FILE_BLOCKS = 8;

  private static BlockCache cacheOf(int slots) throws IOException {
    long maxBytes = (long) slots * BLOCK_BYTES;
    return BlockCache.builder().blockBytes(BLOCK_BYTES).maxBytes(maxBytes).build();
  }

  private static CachedContent content(BlockCache cache) {
    // The length that a folder has on some file systems.
    long longest = random().nextBoolean() ? Long.MAX_VALUE : 0;
    return cache.newContent("file", Math.max(longest, FILE_BLOCKS * BLOCK_BYTES));
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[BLOCK_BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Two blocks take the only slot in turn: one that is copied meanwhile is not there. */
  public void testBlockThatIsReplacedWhileRead() throws Exception {
    try (BlockCache cache = cacheOf(1)) {
      CachedContent content = content(cache);
      List<byte[]> blocks = List.of(filled(1), filled(2));
      FutureTask<Void> writer =
          begin(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  cache.blocks().put(content, i & 1, blocks.get(i & 1), BLOCK_BYTES);
                }
              });
      byte[] found = new byte[BLOCK_BYTES];
      while (!writer.isDone()) {
        for (int i = 0; i < 2; i++) {
          if (cache.blocks().read(content, i, 0, found, 0, BLOCK_BYTES)) {
            assertTrue(Arrays.equals(blocks.get(i), found));
          }
        }
      }
      writer.get();
      assertEquals(BLOCK_BYTES, metric(cache, "cache.used.bytes"));
    }
  }

  /** Blocks of several files come and go: what is there has its own bytes. */
  public void testBlocksOfSeveralFiles() throws IOException {
    Random random = new Random(random().nextLong());
    byte[] found = new byte[1];
    for (int slots : new int[] {1, 2, 3, 5, 2 * FILE_BLOCKS}) {
      try (BlockCache cache = cacheOf(slots)) {
        List<CachedContent> contents = new ArrayList<>();
        for (int file = 0; file < 3; file++) {
          contents.add(content(cache));
        }
        for (int i = 0; i < 300; i++) {
          int file = random.nextInt(3);
          int block = random.nextInt(FILE_BLOCKS);
          if (random.nextInt(20) == 0) {
            cache.release(contents.set(file, content(cache)));
          } else if (!cache.blocks().holds(contents.get(file), block)) {
            cache.blocks().put(contents.get(file), block, filled((file << 4) | block), BLOCK_BYTES);
            assertTrue(cache.blocks().holds(contents.get(file), block));
          }
          int held = 0;
          for (int each = 0; each < 3 * FILE_BLOCKS; each++) {
            CachedContent content = contents.get(each / FILE_BLOCKS);
            int number = each % FILE_BLOCKS;
            if (cache.blocks().read(content, number, 9, found, 0, 1)) {
              assertEquals(((each / FILE_BLOCKS) << 4) | number, found[0]);
              held++;
            }
          }
          assertEquals(held, cache.blocks().held());
        }
      }
    }
  }

  /** A content is dropped while its blocks come in, one after the other without a pause. */
  public void testDropWhileBlocksComeIn() throws Exception {
    try (BlockCache cache = cacheOf(4)) {
      for (int round = 0; round < 300; round++) {
        CachedContent content = content(cache);
        byte[] bytes = filled(round);
        FutureTask<Void> writer =
            begin(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    int number = i % FILE_BLOCKS;
                    if (!cache.blocks().holds(content, number)) {
                      cache.blocks().put(content, number, bytes, BLOCK_BYTES);
                    }
                  }
                });
        while (cache.blocks().held() == 0 && !writer.isDone()) {
          Thread.onSpinWait();
        }
        cache.release(content);
        writer.get();
        assertEquals(0, cache.blocks().held());
      }
      // No slot is lost.
      assertTrue(fill(cache, content(cache), 4));
    }
  }

  /** Puts the first blocks of a content in; returns whether all of them are there then. */
  private static boolean fill(BlockCache cache, CachedContent content, int blocks) {
    for (int i = 0; i < blocks; i++) {
      cache.blocks().put(content, i, filled(i), BLOCK_BYTES);
    }
    return IntStream.range(0, blocks).allMatch(i -> cache.blocks().holds(content, i));
  }

  /** A thread that missed a block comes when another has just put it in. */
  public void testFetchOfBlockThatIsHere() throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        BlockCache cache = cacheOf(2)) {
      write(directory, "file", filled(7));
      CachedContent content = cache.newContent("file", BLOCK_BYTES);
      DelegateReads reads =
          new DelegateReads(directory.openInput("file", IOContext.DEFAULT), () -> {});
      byte[] found = new byte[1];
      try (CachedFile file = new CachedFile(cache, content, reads, false)) {
        for (int i = 0; i < 2; i++) {
          assertTrue(file.fetch(0, 5, found, 0, 1));
          assertEquals(7, found[0]);
        }
      }
      assertEquals(BLOCK_BYTES, metric(cache, "cache.fetched.bytes"));
      assertEquals(1, cache.blocks().held());
    }
  }

  /** A block that comes for a content that was dropped gives its slot back. */
  public void testBlockOfDroppedContent() throws IOException {
    try (BlockCache cache = cacheOf(2)) {
      CachedContent dropped = content(cache);
      assertTrue(fill(cache, dropped, 2));
      cache.release(dropped);
      cache.blocks().put(dropped, 0, filled(0), BLOCK_BYTES);
      assertEquals(0, cache.blocks().held());
      assertTrue(fill(cache, content(cache), 2));
      assertFalse(cache.blocks().holds(dropped, 0) || cache.blocks().holds(dropped, 1));
    }
  }
}
