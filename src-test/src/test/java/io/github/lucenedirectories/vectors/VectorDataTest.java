// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.lucene95.HasIndexSlice;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Prefetches vectors of a mapped file that is not in the page cache. */
@LuceneTestCase.SuppressFileSystems("*") // what is asked of the kernel must be a real file
public class VectorDataTest extends LibraryTestCase {

  private static final int PAGE_BYTES = 1 << 12;
  private static final int BYTES = 6 << 20;

  /** Vectors without a graph. */
  private static final class Values extends ByteVectorValues implements HasIndexSlice {
    private final IndexInput slice;
    private final int bytes;

    Values(IndexInput slice, int bytes) {
      this.slice = slice;
      this.bytes = bytes;
    }

    @Override
    public IndexInput getSlice() {
      return slice;
    }

    @Override
    public int dimension() {
      return bytes;
    }

    @Override
    public int size() {
      return Math.toIntExact(slice.length() / bytes);
    }

    @Override
    public byte[] vectorValue(int ord) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ByteVectorValues copy() {
      throw new UnsupportedOperationException();
    }
  }

  /** The pages of a file that are loaded. */
  private static BitSet loaded(IndexInput in) throws IOException {
    BitSet pages = new BitSet();
    for (int page = 0; (long) page * PAGE_BYTES < in.length(); page++) {
      pages.set(page, in.slice("page", (long) page * PAGE_BYTES, 1).isLoaded().orElse(false));
    }
    return pages;
  }

  /**
   * All vectors asked for are loaded, in one or several calls, and where memory is short no others.
   */
  public void testLoadsVectors() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    Path folder = createTempDir();
    assumeFalse("in memory for good", Files.getFileStore(folder).type().contains("tmpfs"));
    requireLoaded(folder.resolve("one"), random().nextInt(1, 256), true);
    requireLoaded(folder.resolve("several"), random().nextInt(257, 600), true);
    requireLoaded(folder.resolve("one-short"), random().nextInt(1, 256), false);
    requireLoaded(folder.resolve("several-short"), random().nextInt(257, 600), false);
  }

  private static void requireLoaded(Path folder, int count, boolean fit) throws Exception {
    int vectorBytes = random().nextInt(100, 9_000);
    int size = BYTES / vectorBytes;
    int start = random().nextInt(5_000);
    try (Directory writing = new MappedDirectory(folder)) {
      write(writing, "vectors", randomBytes(start + size * vectorBytes));
      writing.sync(List.of("vectors"));
    }
    evict(folder.resolve("vectors"), 0, 0);
    try (Directory directory =
            random().nextBoolean() ? new MappedDirectory(folder) : new MMapDirectory(folder);
        IndexInput in = directory.openInput("vectors", IOContext.DEFAULT)) {
      BitSet before = loaded(in);
      assumeTrue("the system does not say", before.cardinality() < BYTES / PAGE_BYTES / 2);
      int[] ords =
          IntStream.generate(() -> random().nextInt(size))
              .distinct()
              .limit(count)
              .sorted()
              .toArray();
      BitSet expected = new BitSet();
      for (int ord : ords) {
        long from = start + (long) ord * vectorBytes;
        expected.set((int) (from / PAGE_BYTES), (int) ((from + vectorBytes - 1) / PAGE_BYTES) + 1);
      }
      VectorData data =
          VectorData.of(
              new Values(in.slice("vector-data", start, (long) size * vectorBytes), vectorBytes),
              fit);
      if (data == null) {
        throw new AssertionError("no data");
      }
      data.prefetch(ords, ords.length);
      BitSet now = before;
      BitSet missing = expected;
      for (int i = 0; i < 10_000 && !missing.isEmpty(); i++) {
        Thread.sleep(1);
        now = loaded(in);
        missing = (BitSet) expected.clone();
        missing.andNot(now);
      }
      assertEquals(new BitSet(), missing);
      if (!fit) {
        now.andNot(expected);
        now.andNot(before);
        assertEquals("loads what nobody asked for", new BitSet(), now);
      }
    }
  }
}
