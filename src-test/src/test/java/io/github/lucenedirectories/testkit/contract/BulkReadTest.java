package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.Read;
import io.github.lucenedirectories.testkit.Sample;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * Every kind of read at every alignment and across every kind of edge; with chunks from one byte up
 * where a directory has them.
 */
public class BulkReadTest extends DirectorySuite {

  public BulkReadTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(
        Sample.ALL ? DirectoriesUnderTest.all() : DirectoriesUnderTest.readers());
  }

  public void testAsListed() throws IOException {
    readEverywhere(subject);
  }

  public void testOverSmallChunks() throws IOException {
    assumeTrue("the length of chunks cannot be chosen", subject.chunkable());
    for (int chunkBytes = 1; chunkBytes <= 64; chunkBytes *= 2) {
      readEverywhere(subject.chunked(chunkBytes));
    }
  }

  private static void readEverywhere(DirectoryUnderTest variant) throws IOException {
    int edge = variant.capabilities().edgeBytes();
    byte[] bytes = randomBytes(2 * edge + 70);
    try (Directory directory = variant.open(createTempDir())) {
      write(directory, "file", bytes);
      for (int offset : new int[] {0, 1, 7}) {
        try (IndexInput original = directory.openInput("file", anyContext())) {
          for (InputView view : InputView.of(original, bytes, offset)) {
            for (int centre : new int[] {0, edge, 2 * edge, view.bytes().length}) {
              int last = Math.min(view.bytes().length, centre + 2);
              for (int pos = Math.max(0, centre - 20); pos <= last; pos++) {
                try {
                  readAt(view, pos);
                } catch (AssertionError | IOException | RuntimeException e) {
                  throw new AssertionError(variant + ": pos=" + pos + ", " + view + ": " + e, e);
                }
              }
            }
          }
        }
      }
    }
  }

  private static void readAt(InputView view, int pos) throws IOException {
    IndexInput in = view.in();
    RandomAccessInput access = in.randomAccessSlice(0, in.length());
    for (Read read : Read.values()) {
      int most = (view.bytes().length - pos) / read.size();
      IntStream counts = read.isBulk() ? IntStream.of(0, 1, 2, 5, 16, most) : IntStream.of(1);
      for (int count : counts.filter(each -> each <= most).toArray()) {
        int end = pos + count * read.size();
        byte[] expected = Arrays.copyOfRange(view.bytes(), pos, end);
        in.seek(pos);
        assertArrayEquals(read + " of " + count, expected, read.next(in, count));
        assertEquals(end, in.getFilePointer());
        if (read.isPositional()) {
          assertArrayEquals(read + " of " + count, expected, read.at(access, pos, count));
        }
      }
    }
  }
}
