package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/** The blocks of a cache while others take their slots. */
public class CachedBlocksTest extends LibraryTestCase {

  private static final int BLOCK_BYTES = 1 << 18;

  private static BlockCache cacheOf(int slots) throws IOException {
    return BlockCache.builder()
        .blockBytes(BLOCK_BYTES)
        .maxBytes((long) slots * BLOCK_BYTES)
        .build();
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[BLOCK_BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Two blocks take the only slot in turn: one that is copied meanwhile is not there. */
  public void testBlockThatIsReplacedWhileRead()
      throws IOException, InterruptedException, ExecutionException {
    try (BlockCache cache = cacheOf(1)) {
      CachedContent content = cache.newContent("file", cache.partition(Long.MAX_VALUE));
      List<byte[]> blocks = List.of(filled(1), filled(2));
      FutureTask<Void> writer =
          new FutureTask<>(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  cache.blocks().put(content, i & 1, blocks.get(i & 1), BLOCK_BYTES);
                }
                return null;
              });
      new Thread(writer, "cached-blocks-test").start();
      byte[] found = new byte[BLOCK_BYTES];
      while (!writer.isDone()) {
        for (int i = 0; i < 2; i++) {
          if (cache.blocks().read(content, i, 0, found, 0, BLOCK_BYTES)) {
            assertTrue(Arrays.equals(blocks.get(i), found));
          }
        }
      }
      writer.get();
      assertEquals(BLOCK_BYTES, cache.statistics().usedBytes());
    }
  }

  /** A content is dropped while its blocks come in. */
  public void testDropWhileBlocksComeIn()
      throws IOException, InterruptedException, ExecutionException {
    try (BlockCache cache = cacheOf(4)) {
      CachePartition partition = cache.partition(Long.MAX_VALUE);
      byte[] bytes = filled(1);
      for (int round = 0; round < 300; round++) {
        CachedContent content = cache.newContent("file", partition);
        FutureTask<Void> writer =
            new FutureTask<>(
                () -> {
                  for (int i = 0; i < 4; i++) {
                    cache.blocks().put(content, i, bytes, BLOCK_BYTES);
                  }
                  return null;
                });
        new Thread(writer, "cached-blocks-test").start();
        while (partition.size() == 0 && !writer.isDone()) {
          Thread.onSpinWait();
        }
        cache.blocks().drop(content);
        writer.get();
        assertEquals(0, partition.size());
      }
      // No slot is lost.
      CachedContent content = cache.newContent("file", partition);
      for (int i = 0; i < 4; i++) {
        cache.blocks().put(content, i, bytes, BLOCK_BYTES);
      }
      for (int i = 0; i < 4; i++) {
        assertTrue(cache.blocks().holds(content, i));
      }
    }
  }

  /** A thread that missed a block comes when another has just put it in. */
  public void testFetchOfBlockThatIsHere() throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        BlockCache cache = cacheOf(2)) {
      write(directory, "file", filled(7));
      CachePartition partition = cache.partition(Long.MAX_VALUE);
      CachedContent content = cache.newContent("file", partition);
      byte[] found = new byte[1];
      try (DelegateReads file = new DelegateReads(directory.openInput("file", IOContext.DEFAULT))) {
        for (int i = 0; i < 2; i++) {
          assertTrue(cache.fetch(content, file, 0, 5, found, 0, 1));
          assertEquals(7, found[0]);
        }
      }
      assertEquals(1, partition.size());
    }
  }

  /** Which openings of a name share their blocks. */
  public void testContentsOfName() throws IOException {
    try (BlockCache cache = cacheOf(1)) {
      CachePartition partition = cache.partition(Long.MAX_VALUE);
      ContentTable table = new ContentTable(name -> cache.newContent(name, partition));
      CachedContent first = table.confirm(table.take("file"), 10);
      assertSame(first, table.confirm(table.take("file"), 10));
      CachedContent grown = table.confirm(table.take("file"), 20);
      assertNotSame(first, grown);
      assertSame(grown, table.take("file"));
      table.beginChange("file");
      assertNotSame(table.take("file"), table.take("file"));
      table.endChange("file");
      CachedContent second = table.take("file");
      assertNotSame(grown, second);
      assertSame(second, table.take("file"));
    }
  }

  /** A block that comes for a content that was dropped gives its slot back. */
  public void testBlockOfDroppedContent() throws IOException {
    try (BlockCache cache = cacheOf(2)) {
      CachePartition partition = cache.partition(Long.MAX_VALUE);
      CachedContent dropped = cache.newContent("file", partition);
      for (int i = 0; i < 2; i++) {
        cache.blocks().put(dropped, i, filled(i), BLOCK_BYTES);
      }
      cache.blocks().drop(dropped);
      cache.blocks().put(dropped, 0, filled(0), BLOCK_BYTES);
      assertEquals(0, partition.size());
      CachedContent content = cache.newContent("file", partition);
      for (int i = 0; i < 2; i++) {
        cache.blocks().put(content, i, filled(i), BLOCK_BYTES);
      }
      for (int i = 0; i < 2; i++) {
        assertTrue(cache.blocks().holds(content, i));
        assertFalse(cache.blocks().holds(dropped, i));
      }
    }
  }
}
