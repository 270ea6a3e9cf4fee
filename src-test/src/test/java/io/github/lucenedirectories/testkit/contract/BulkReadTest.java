package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.GroupVIntUtil;

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

  /** The directory as listed, and cut in very small chunks if it can be. */
  private List<DirectoryUnderTest> variants() {
    List<DirectoryUnderTest> variants = new ArrayList<>(List.of(subject));
    if (subject.chunkable()) {
      for (int chunkBytes = 1; chunkBytes <= 64; chunkBytes *= 2) {
        variants.add(subject.chunked(chunkBytes));
      }
    }
    return variants;
  }

  private interface Check {
    void run(IndexInput in, byte[] bytes, int pos) throws IOException;
  }

  /** Runs the check at all positions near edges, on all views of a file. */
  private void atAllPositions(Check check) throws IOException {
    for (DirectoryUnderTest variant : variants()) {
      int edge = Math.min(variant.capabilities().edgeBytes(), 1 << 16);
      byte[] bytes = randomBytes(2 * edge + 70);
      try (Directory directory = variant.open(createTempDir())) {
        write(directory, "file", bytes);
        for (int offset : new int[] {0, 1, 7}) {
          try (IndexInput original = directory.openInput("file", anyContext())) {
            for (InputView view : InputView.of(original, bytes, offset)) {
              for (int pos : positions(view.bytes().length, edge)) {
                try {
                  check.run(view.in(), view.bytes(), pos);
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

  private static List<Integer> positions(int length, int edge) {
    List<Integer> positions = new ArrayList<>();
    for (int centre : new int[] {0, edge, 2 * edge, length}) {
      for (int pos = Math.max(0, centre - 20); pos <= Math.min(length, centre + 2); pos++) {
        positions.add(pos);
      }
    }
    return positions;
  }

  public void testSingleValues() throws IOException {
    atAllPositions(
        (in, bytes, pos) -> {
          RandomAccessInput access = in.randomAccessSlice(0, bytes.length);
          if (pos + 1 <= bytes.length) {
            in.seek(pos);
            assertEquals(bytes[pos], in.readByte());
            assertEquals(bytes[pos], access.readByte(pos));
          }
          if (pos + 2 <= bytes.length) {
            short expected = (short) BitUtil.VH_LE_SHORT.get(bytes, pos);
            in.seek(pos);
            assertEquals(expected, in.readShort());
            assertEquals(pos + 2, in.getFilePointer());
            assertEquals(expected, access.readShort(pos));
          }
          if (pos + 4 <= bytes.length) {
            int expected = (int) BitUtil.VH_LE_INT.get(bytes, pos);
            in.seek(pos);
            assertEquals(expected, in.readInt());
            assertEquals(pos + 4, in.getFilePointer());
            assertEquals(expected, access.readInt(pos));
          }
          if (pos + 8 <= bytes.length) {
            long expected = (long) BitUtil.VH_LE_LONG.get(bytes, pos);
            in.seek(pos);
            assertEquals(expected, in.readLong());
            assertEquals(pos + 8, in.getFilePointer());
            assertEquals(expected, access.readLong(pos));
          }
        });
  }

  public void testBytes() throws IOException {
    atAllPositions(
        (in, bytes, pos) -> {
          RandomAccessInput access = in.randomAccessSlice(0, bytes.length);
          for (int count : counts(bytes.length - pos)) {
            byte[] expected = new byte[count + 5];
            System.arraycopy(bytes, pos, expected, 3, count);
            byte[] sequential = new byte[count + 5];
            in.seek(pos);
            in.readBytes(sequential, 3, count, random().nextBoolean());
            assertArrayEquals(expected, sequential);
            assertEquals(pos + count, in.getFilePointer());
            byte[] random = new byte[count + 5];
            access.readBytes(pos, random, 3, count);
            assertArrayEquals(expected, random);
          }
        });
  }

  public void testInts() throws IOException {
    atAllPositions(
        (in, bytes, pos) -> {
          for (int count : counts((bytes.length - pos) / Integer.BYTES)) {
            int[] expected = new int[count + 3];
            float[] expectedFloats = new float[count + 3];
            for (int i = 0; i < count; i++) {
              expected[2 + i] = (int) BitUtil.VH_LE_INT.get(bytes, pos + i * Integer.BYTES);
              expectedFloats[2 + i] = Float.intBitsToFloat(expected[2 + i]);
            }
            int[] ints = new int[count + 3];
            in.seek(pos);
            in.readInts(ints, 2, count);
            assertArrayEquals(expected, ints);
            assertEquals(pos + (long) count * Integer.BYTES, in.getFilePointer());
            float[] floats = new float[count + 3];
            in.seek(pos);
            in.readFloats(floats, 2, count);
            // As bits: not every NaN is equal to itself otherwise.
            assertTrue(Arrays.equals(expectedFloats, floats));
            assertEquals(pos + (long) count * Float.BYTES, in.getFilePointer());
          }
        });
  }

  public void testLongs() throws IOException {
    atAllPositions(
        (in, bytes, pos) -> {
          for (int count : counts((bytes.length - pos) / Long.BYTES)) {
            long[] expected = new long[count + 3];
            for (int i = 0; i < count; i++) {
              expected[2 + i] = (long) BitUtil.VH_LE_LONG.get(bytes, pos + i * Long.BYTES);
            }
            long[] longs = new long[count + 3];
            in.seek(pos);
            in.readLongs(longs, 2, count);
            assertArrayEquals(expected, longs);
            assertEquals(pos + (long) count * Long.BYTES, in.getFilePointer());
          }
        });
  }

  /** A few small counts and the largest that fits. */
  private static int[] counts(int max) {
    return IntStream.of(0, 1, 2, 3, 5, 16, max).filter(count -> count <= max).distinct().toArray();
  }

  public void testVariableLengthValues() throws IOException {
    for (DirectoryUnderTest variant : variants()) {
      int edge = Math.min(variant.capabilities().edgeBytes(), 1 << 16);
      try (Directory directory = variant.open(createTempDir())) {
        for (int padding : paddings(edge)) {
          String name = "file" + padding;
          int value = random().nextInt() >>> random().nextInt(32);
          long wide = random().nextLong() >>> random().nextInt(64);
          String text = "ä€𝄞" + "x".repeat(random().nextInt(30));
          try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
            out.writeBytes(new byte[padding], padding);
            out.writeVInt(value);
            out.writeVLong(wide >>> 1);
            out.writeZInt(value);
            out.writeZLong(wide);
            out.writeString(text);
          }
          try (IndexInput original = directory.openInput(name, anyContext())) {
            byte[] bytes = remaining(original);
            original.seek(0);
            for (InputView view : InputView.of(original, bytes, 0)) {
              if (view.bytes().length < bytes.length) {
                continue;
              }
              IndexInput in = view.in();
              in.seek(padding);
              String where = variant + ": padding=" + padding + ", " + view;
              assertEquals(where, value, in.readVInt());
              assertEquals(where, wide >>> 1, in.readVLong());
              assertEquals(where, value, in.readZInt());
              assertEquals(where, wide, in.readZLong());
              assertEquals(where, text, in.readString());
            }
          }
          directory.deleteFile(name);
        }
      }
    }
  }

  public void testGroupVarint() throws IOException {
    for (DirectoryUnderTest variant : variants()) {
      int edge = Math.min(variant.capabilities().edgeBytes(), 1 << 16);
      try (Directory directory = variant.open(createTempDir())) {
        for (int padding : paddings(edge)) {
          for (int count : new int[] {1, 4, 7, 8, 33}) {
            groupVarint(variant, directory, padding, count);
          }
        }
      }
    }
  }

  private void groupVarint(DirectoryUnderTest variant, Directory directory, int padding, int count)
      throws IOException {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = random().nextInt() >>> (1 + random().nextInt(31));
    }
    try (IndexOutput out = directory.createOutput("file", IOContext.DEFAULT)) {
      out.writeBytes(new byte[padding], padding);
      out.writeGroupVInts(values, count);
      // Once with nothing behind the last group, where a fast reader must not look further.
      if (random().nextBoolean()) {
        out.writeBytes(new byte[20], 20);
      }
    }
    try (IndexInput original = directory.openInput("file", anyContext())) {
      byte[] bytes = remaining(original);
      original.seek(0);
      ByteArrayDataInput reference = new ByteArrayDataInput(bytes);
      reference.skipBytes(padding);
      GroupVIntUtil.readGroupVInts(reference, new int[count + 4], count);
      for (InputView view : InputView.of(original, bytes, 0)) {
        if (view.bytes().length < bytes.length) {
          continue;
        }
        IndexInput in = view.in();
        in.seek(padding);
        int[] decoded = new int[count + 4];
        GroupVIntUtil.readGroupVInts(in, decoded, count);
        String where = variant + ": padding=" + padding + ", count=" + count + ", " + view;
        assertArrayEquals(where, values, Arrays.copyOf(decoded, count));
        assertEquals(where, reference.getPosition(), in.getFilePointer());
      }
    }
    directory.deleteFile("file");
  }

  /** Where a value begins: every alignment, and everywhere before an edge. */
  private static int[] paddings(int edge) {
    IntStream start = IntStream.range(0, 18);
    IntStream before = IntStream.range(Math.max(18, edge - 18), Math.max(18, edge + 2));
    return IntStream.concat(start, before).toArray();
  }
}
