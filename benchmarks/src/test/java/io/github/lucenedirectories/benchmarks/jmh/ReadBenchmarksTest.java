package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.infra.Blackhole;

/** Every read benchmark reads the same values on every directory, and goes on where it stopped. */
class ReadBenchmarksTest {
  private static final int INVOCATIONS = 3;
  private static final Blackhole HOLE =
      new Blackhole(
          "Today's password is swordfish. I understand instantiating Blackholes directly is"
              + " dangerous.");

  static List<String> directories() {
    return MicroWorkload.DIRECTORIES;
  }

  @ParameterizedTest
  @MethodSource("directories")
  void sumsAreThoseOfTheBaseline(String directory) throws IOException {
    assertEquals(sums(Variants.BASELINE), sums(directory));
  }

  @Test
  void sumOfBytesIsThatOfTheBlock() throws IOException {
    byte[] bytes = Block.randomBytes().bytes();
    int perInvocation = 1 << 14;
    SequentialReads benchmark = new SequentialReads();
    try (Trial<InputFile.Bytes> trial = new Trial<>(new InputFile.Bytes(), "MMapDirectory")) {
      Cursor cursor = new Cursor();
      // Over the end of the file once, where it must start anew.
      for (int i = 0; i < InputFile.MIN_FILE_BYTES / perInvocation + 2; i++) {
        long expected = 0;
        for (int j = 0; j < perInvocation; j++) {
          expected += bytes[(i * perInvocation + j) % bytes.length];
        }
        assertEquals(expected, benchmark.readByte(trial.file, cursor, HOLE), "invocation " + i);
      }
    }
  }

  private static List<Long> sums(String directory) throws IOException {
    List<Long> sums = new ArrayList<>();
    SequentialReads sequential = new SequentialReads();
    RandomReads random = new RandomReads();
    RandomAccessReads randomAccess = new RandomAccessReads();
    Views views = new Views();
    try (Trial<InputFile.Bytes> trial = new Trial<>(new InputFile.Bytes(), directory)) {
      InputFile.Bytes file = trial.file;
      each(sums, cursor -> sequential.readByte(file, cursor, HOLE));
      each(sums, cursor -> sequential.readLong(file, cursor, HOLE));
      each(sums, cursor -> sequential.readLongs(file, cursor, HOLE));
      each(sums, cursor -> sequential.readInts(file, cursor, HOLE));
      each(sums, cursor -> sequential.readFloats(file, cursor, HOLE));
      each(sums, cursor -> random.readByte(file, cursor, HOLE));
      each(sums, cursor -> random.readLong(file, cursor, HOLE));
      each(sums, cursor -> random.readLongs(file, cursor, HOLE));
      each(sums, cursor -> random.readInts(file, cursor, HOLE));
      each(sums, cursor -> random.readFloats(file, cursor, HOLE));
      each(sums, cursor -> randomAccess.readByte(file, cursor, HOLE));
      each(sums, cursor -> randomAccess.readShort(file, cursor, HOLE));
      each(sums, cursor -> randomAccess.readInt(file, cursor, HOLE));
      each(sums, cursor -> randomAccess.readLong(file, cursor, HOLE));
      each(sums, cursor -> views.copy(file, cursor).readLong());
      each(sums, cursor -> views.copyAndRead(file, cursor));
      each(sums, cursor -> views.slice(file, cursor).readLong());
      each(sums, cursor -> views.sliceAndRead(file, cursor));
      each(sums, cursor -> views.randomAccessSlice(file, cursor).readLong(0));
      for (int size : new int[] {16, 65_536}) {
        Piece piece = new Piece();
        piece.size = size;
        piece.allocate();
        each(sums, cursor -> sequential.readBytes(file, cursor, piece, HOLE));
        each(sums, cursor -> random.readBytes(file, cursor, piece, HOLE));
        each(sums, cursor -> randomAccess.readBytes(file, cursor, piece, HOLE));
      }
    }
    try (Trial<InputFile.VInts> trial = new Trial<>(new InputFile.VInts(), directory)) {
      each(sums, cursor -> sequential.readVInt(trial.file, cursor, HOLE));
      each(sums, cursor -> random.readVInt(trial.file, cursor, HOLE));
    }
    try (Trial<InputFile.GroupVInts> trial = new Trial<>(new InputFile.GroupVInts(), directory)) {
      each(sums, cursor -> sequential.readGroupVInt(trial.file, cursor, HOLE));
      each(sums, cursor -> random.readGroupVInt(trial.file, cursor, HOLE));
    }
    return sums;
  }

  private static void each(List<Long> sums, Read read) throws IOException {
    Cursor cursor = new Cursor();
    for (int i = 0; i < INVOCATIONS; i++) {
      sums.add(read.sum(cursor));
    }
  }

  private interface Read {
    long sum(Cursor cursor) throws IOException;
  }

  /** A file set up as JMH would, and torn down when closed. */
  private static final class Trial<T extends InputFile> implements AutoCloseable {
    private final T file;

    Trial(T file, String directory) throws IOException {
      this.file = file;
      file.directory = directory;
      file.fileBytes = Integer.toString(InputFile.MIN_FILE_BYTES);
      file.setUp();
    }

    @Override
    public void close() throws IOException {
      file.tearDown();
    }
  }
}
