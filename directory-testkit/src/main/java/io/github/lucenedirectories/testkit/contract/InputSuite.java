// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Read;
import io.github.lucenedirectories.testkit.Subject;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.IOConsumer;

/**
 * Every kind of read at every alignment and across every kind of edge; positions, ends and hints of
 * an input: on originals, clones and slices alike.
 */
public class InputSuite extends DirectorySuite {

  /** What a read at a place that does not exist may throw. */
  private static final List<Class<? extends Throwable>> OUTSIDE =
      List.of(EOFException.class, IndexOutOfBoundsException.class, IllegalArgumentException.class);

  public InputSuite(Subject subject) {
    super(subject);
  }

  /** Runs the check on every view of files whose lengths lie around the edges. */
  private void onAllViews(IOConsumer<InputView> check) throws IOException {
    int edge = subject.edgeBytes();
    for (int length : new int[] {0, 1, 9, edge - 1, edge, edge + 1, 2 * edge, 2 * edge + 13}) {
      int[] offsets = {0, 1, Math.min(3, length), Math.min(edge, length) / 2};
      onViews(subject, length, offsets, check);
    }
  }

  private static void onViews(
      Subject variant, int length, int[] offsets, IOConsumer<InputView> check) throws IOException {
    byte[] bytes = randomBytes(length);
    try (Directory directory = variant.open(createTempDir())) {
      write(directory, "file", bytes);
      for (int offset : offsets) {
        try (IndexInput in = directory.openInput("file", anyContext())) {
          for (InputView view : InputView.of(in, bytes, Math.min(offset, length))) {
            try {
              check.accept(view);
            } catch (AssertionError | IOException | RuntimeException e) {
              throw new AssertionError(variant + ": " + view + ": " + e, e);
            }
          }
        }
      }
    }
  }

  public void testEveryReadEverywhere() throws IOException {
    assumeTrue("another directory reads like it", ALL || !subject.readsLikeAnother());
    readEverywhere(subject);
    for (int chunkBytes = 1; subject.chunkable() && chunkBytes <= 64; chunkBytes *= 2) {
      readEverywhere(subject.chunked(chunkBytes));
    }
  }

  private static void readEverywhere(Subject variant) throws IOException {
    int edge = variant.edgeBytes();
    onViews(
        variant,
        2 * edge + 70,
        new int[] {0, 1, 7},
        view -> {
          for (int centre : new int[] {0, edge, 2 * edge, view.bytes().length}) {
            int last = Math.min(view.bytes().length, centre + 2);
            for (int pos = Math.max(0, centre - 20); pos <= last; pos++) {
              readAt(view, pos);
            }
          }
        });
  }

  private static void readAt(InputView view, int pos) throws IOException {
    IndexInput in = view.in();
    RandomAccessInput access = in.randomAccessSlice(0, in.length());
    for (Read read : Read.values()) {
      int most = (view.bytes().length - pos) / read.size();
      IntStream counts = read.isBulk() ? IntStream.of(0, 1, 2, 5, 16, most) : IntStream.of(1);
      for (int count : counts.filter(each -> each <= most).toArray()) {
        int end = pos + count * read.size();
        String what = count + " " + read + " at " + pos;
        byte[] expected = Arrays.copyOfRange(view.bytes(), pos, end);
        in.seek(pos);
        assertArrayEquals(what, expected, read.next(in, count));
        assertEquals(what, end, in.getFilePointer());
        if (read.isPositional()) {
          assertArrayEquals(what, expected, read.at(access, pos, count));
        }
      }
    }
  }

  public void testReadsStopAtTheEnd() throws IOException {
    onAllViews(
        view -> {
          IndexInput in = view.in();
          int length = view.bytes().length;
          assertEquals(length, in.length());
          for (int left = 0; left < Math.min(length + 1, 9); left++) {
            long pos = (long) length - left;
            for (Read read : Read.values()) {
              if (read.isBulk() || left < read.size()) {
                int count = read.isBulk() ? left / read.size() + 1 : 1;
                pastEnd(in, pos, () -> read.next(in, count));
              }
            }
            int more = left + 1;
            pastEnd(in, pos, () -> in.skipBytes(more));
            pastEnd(in, pos, () -> in.readBytes(new byte[200_000], 0, 200_000));
            pastEnd(in, pos, () -> in.readLongs(new long[30_000], 0, 30_000));
          }
          for (long beyond : new long[] {length + 1L, length + 4_097L, 1L << 33, 1L << 62}) {
            expectThrows(EOFException.class, () -> in.seek(beyond));
          }
          in.seek(length);
          assertEquals(length, in.getFilePointer());
          if (subject.promises().contains(Promise.NEGATIVE_POSITIONS)) {
            expectThrowsAnyOf(
                OUTSIDE,
                () -> {
                  in.seek(-1);
                  in.readByte();
                });
          }
          expectThrows(IllegalArgumentException.class, () -> in.skipBytes(-1));
          in.seek(0);
          assertArrayEquals(view.bytes(), remaining(in));
        });
  }

  private static void pastEnd(IndexInput in, long pos, ThrowingRunnable read) throws IOException {
    in.seek(pos);
    expectThrows(EOFException.class, "read past the end: pos=" + pos, read);
  }

  /** Slices, segments, hints and positional reads of ranges that do not exist. */
  public void testRangesThatDoNotExist() throws IOException {
    onAllViews(
        view -> {
          IndexInput in = view.in();
          long length = view.bytes().length;
          for (long[] range :
              new long[][] {
                {0, length + 1},
                {length, 1},
                {length + 1, 0},
                {length + 1, 1},
                {-1, 1},
                {-1, 0},
                {0, -1},
                {0, 1L << 40},
                {1L << 40, 1L << 40},
                {Long.MAX_VALUE, 1},
                {1, Long.MAX_VALUE},
                {Long.MIN_VALUE, Long.MIN_VALUE}
              }) {
            for (ThrowingRunnable slicing :
                List.<ThrowingRunnable>of(
                    () -> in.slice("illegal", range[0], range[1]),
                    () -> in.slice("illegal", range[0], range[1], IOContext.DEFAULT),
                    () -> in.randomAccessSlice(range[0], range[1]))) {
              expectThrows(IllegalArgumentException.class, slicing);
            }
            if (in.clone() instanceof MemorySegmentAccessInput segments) {
              expectThrowsAnyOf(OUTSIDE, () -> segments.segmentSliceOrNull(range[0], range[1]));
            }
            try {
              in.prefetch(range[0], range[1]);
            } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
              // A hint may be refused or ignored, and does no harm.
              assertNotNull(e.getMessage());
            }
          }
          RandomAccessInput access = in.randomAccessSlice(0, length);
          for (long pos : new long[] {-1, length, length + 1, 1L << 40, Long.MIN_VALUE}) {
            for (Read read : Read.values()) {
              if (read.isPositional()
                  && (pos >= 0 || subject.promises().contains(Promise.NEGATIVE_POSITIONS))) {
                expectThrowsAnyOf(OUTSIDE, () -> read.at(access, pos, 1));
              }
            }
          }
          int tooMany = (int) length + 1;
          expectThrowsAnyOf(OUTSIDE, () -> access.readShort(length - 1));
          expectThrowsAnyOf(OUTSIDE, () -> access.readInt(length - 3));
          expectThrowsAnyOf(OUTSIDE, () -> access.readLong(length - 7));
          expectThrowsAnyOf(OUTSIDE, () -> access.readBytes(0, new byte[tooMany], 0, tooMany));
          in.seek(0);
          assertArrayEquals(view.bytes(), remaining(in));
        });
  }

  public void testDescriptionsNameTheFile() throws IOException {
    assumePromised(Promise.NAMED_FILES);
    try (Directory directory = open()) {
      write(directory, "_7.doc", randomBytes(100));
      try (IndexInput in = directory.openInput("_7.doc", anyContext())) {
        String slice = in.slice("postings", 10, 20).toString();
        assertTrue(in.toString(), in.toString().contains("_7.doc"));
        assertTrue(slice, slice.contains("_7.doc") && slice.contains("postings"));
        in.seek(100);
        EOFException e = expectThrows(EOFException.class, in::readByte);
        assertTrue(e.toString(), e.toString().contains("_7.doc"));
      }
    }
  }
}
