// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.Contexts;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.LibrarySuite;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;

/** What Lucene's SIMD code sees of an input: its memory, where a range of it is contiguous. */
public class SegmentAccessTest extends LibrarySuite {

  public SegmentAccessTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(directory -> directory.way().memorySegments());
  }

  public void testContiguousRangesAreSegments() throws IOException {
    int edge = variant.way().edgeBytes();
    // Below and above the sizes of buffers, of pieces of memory and of a huge page too.
    int huge = (1 << 21) + 4_097;
    for (int length :
        new int[] {1, edge - 1, edge, edge + 1, 3 * edge + 5, 16_385, 70_000, 300_000, huge}) {
      check(variant, length);
    }
    if (variant.chunkable()) {
      for (int chunkBytes = 1; chunkBytes <= 64; chunkBytes *= 2) {
        check(variant.chunked(chunkBytes), 3 * chunkBytes + 5);
      }
    }
  }

  private void check(DirectoryUnderTest checked, int length) throws IOException {
    long chunkBytes = checked.chunkBytes();
    byte[] bytes = randomBytes(length);
    try (Directory directory = checked.open(createTempDir())) {
      write(directory, "file", bytes);
      for (int start : new int[] {0, 1, 5}) {
        try (IndexInput original = directory.openInput("file", Contexts.anyShared(random()))) {
          for (InputView view : InputView.of(original, bytes, Math.min(start, length))) {
            // As the decoder of postings asks for it: the whole input, whatever the view.
            checkRange(view, 0, view.bytes().length, length, chunkBytes);
            for (int i = 0; i < 50; i++) {
              int pos = random().nextInt(view.bytes().length + 1);
              int range = random().nextInt(view.bytes().length - pos + 1);
              checkRange(view, pos, range, length, chunkBytes);
            }
          }
        }
      }
    }
  }

  private static void checkRange(
      InputView view, int pos, int range, int fileLength, long chunkBytes) throws IOException {
    String what = view + ": pos=" + pos + ", range=" + range;
    MemorySegment segment = segment(view.in(), pos, range);
    if (segment != null) {
      assertArrayEquals(
          what,
          Arrays.copyOfRange(view.bytes(), pos, pos + range),
          segment.toArray(ValueLayout.JAVA_BYTE));
    }
    long first = (long) view.start() + pos;
    boolean cut = fileLength > chunkBytes;
    boolean crosses = cut && first / chunkBytes != (first + range - 1) / chunkBytes;
    assertTrue(what, range == 0 ? segment != null || cut : crosses == (segment == null));
  }

  /** A segment taken before the close of its input is dead or still holds the file's bytes. */
  public void testSegmentOutlivesInput() throws IOException {
    byte[] bytes = randomBytes(5_000);
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      MemorySegment segment;
      try (IndexInput in = directory.openInput("file", Contexts.anyShared(random()))) {
        segment = segment(in, 0, Math.min(bytes.length, variant.way().edgeBytes()));
      }
      directory.deleteFile("file");
      write(directory, "other", randomBytes(bytes.length));
      assertNotNull(segment);
      assertTrue("nobody can change a file through its memory", segment.isReadOnly());
      for (int i = 0; i < segment.byteSize(); i++) {
        try {
          assertEquals(bytes[i], segment.get(ValueLayout.JAVA_BYTE, i));
        } catch (IllegalStateException expected) {
          assertFalse(segment.scope().isAlive());
        }
      }
    }
  }

  /** A file that may change its way is asked through a clone, as Lucene asks every file. */
  private static MemorySegment segment(IndexInput in, long pos, long length) throws IOException {
    IndexInput asked = in instanceof MemorySegmentAccessInput ? in : in.clone();
    return ((MemorySegmentAccessInput) asked).segmentSliceOrNull(pos, length);
  }
}
