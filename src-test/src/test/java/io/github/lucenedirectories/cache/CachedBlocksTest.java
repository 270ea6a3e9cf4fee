// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** The blocks of a cache while others take their slots, and the reads that fetch them. */
public class CachedBlocksTest extends LibraryTestCase {

  private static final int BLOCK_BYTES = 1 << 18;

  private static BlockCache cacheOf(int slots) throws IOException {
    long maxBytes = (long) slots * BLOCK_BYTES;
    return BlockCache.builder().blockBytes(BLOCK_BYTES).maxBytes(maxBytes).build();
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[BLOCK_BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Two blocks take the only slot in turn: one that is copied meanwhile is not there. */
  public void testBlockThatIsReplacedWhileRead() throws Exception {
    try (BlockCache cache = cacheOf(1)) {
      CachedContent content = cache.newContent("file");
      List<byte[]> blocks = List.of(filled(1), filled(2));
      FutureTask<Void> writer =
          start(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  cache.blocks().put(content, i & 1, blocks.get(i & 1), BLOCK_BYTES);
                }
                return null;
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

  /** A content is dropped while its blocks come in. */
  public void testDropWhileBlocksComeIn() throws Exception {
    try (BlockCache cache = cacheOf(4)) {
      for (int round = 0; round < 300; round++) {
        CachedContent content = cache.newContent("file");
        FutureTask<Boolean> writer = start(() -> fill(cache, content, 4));
        while (cache.blocks().held() == 0 && !writer.isDone()) {
          Thread.onSpinWait();
        }
        cache.blocks().drop(content);
        writer.get();
        assertEquals(0, cache.blocks().held());
      }
      // No slot is lost.
      assertTrue(fill(cache, cache.newContent("file"), 4));
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
      CachedContent content = cache.newContent("file");
      byte[] found = new byte[1];
      try (DelegateReads file = new DelegateReads(directory.openInput("file", IOContext.DEFAULT))) {
        for (int i = 0; i < 2; i++) {
          assertTrue(cache.fetch(content, file, 0, 5, found, 0, 1));
          assertEquals(7, found[0]);
        }
      }
      assertEquals(1, cache.blocks().held());
    }
  }

  /** Which openings of a name share their blocks. */
  public void testContentsOfName() throws IOException {
    try (BlockCache cache = cacheOf(1)) {
      ContentTable table = new ContentTable(cache::newContent);
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
      CachedContent dropped = cache.newContent("file");
      assertTrue(fill(cache, dropped, 2));
      cache.blocks().drop(dropped);
      cache.blocks().put(dropped, 0, filled(0), BLOCK_BYTES);
      assertEquals(0, cache.blocks().held());
      assertTrue(fill(cache, cache.newContent("file"), 2));
      assertFalse(cache.blocks().holds(dropped, 0) || cache.blocks().holds(dropped, 1));
    }
  }

  private volatile boolean begun;
  private volatile boolean goOn;
  private final List<Integer> used = new ArrayList<>();
  private int clones;
  private boolean closed;

  /** An input that notes its number when it is read. A read at 0 waits. */
  private final class NumberedInput extends FilterIndexInput {
    final int number;

    NumberedInput(int number) {
      super(
          "input " + number,
          new ByteBuffersIndexInput(
              new ByteBuffersDataInput(List.of(ByteBuffer.allocate(100))), "in memory"));
      this.number = number;
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      if (in.getFilePointer() == 0) {
        begun = true;
        LibraryTestCase.await(() -> goOn);
      }
      used.add(number);
    }

    @Override
    public IndexInput clone() {
      return new NumberedInput(++clones);
    }

    @Override
    public void close() throws IOException {
      closed = true;
      super.close();
    }
  }

  /**
   * The clone that was used last, since it knows where a scan has come to: also after two reads at
   * a time needed two.
   */
  public void testCloneUsedLast() throws Exception {
    byte[] bytes = new byte[1];
    try (DelegateReads reads = new DelegateReads(new NumberedInput(0))) {
      FutureTask<Void> slow =
          start(
              () -> {
                reads.read(0, new byte[1], 0, 1);
                return null;
              });
      await(() -> begun);
      reads.read(1, bytes, 0, 1);
      goOn = true;
      slow.get();
      used.clear();
      for (int i = 2; i < 9; i++) {
        reads.read(i, bytes, 0, 1);
      }
      assertEquals(Collections.nCopies(7, 1), used);
    }
    assertEquals(2, clones);
    assertTrue(closed);
  }
}
