package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.IndexInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.infra.Blackhole;

/** Reads from front to back, one call an operation. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SequentialReads {
  private static final int SINGLE_READS = 1 << 14;
  private static final int BULK_READS = 1 << 6;

  /** One byte. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long readByte(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.sequential(file, SINGLE_READS, Byte.BYTES, hole, IndexInput::readByte);
  }

  /** One integer in variable length. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long readVInt(InputFile.VInts file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.sequential(file, SINGLE_READS, Block.MAX_VINT_BYTES, hole, IndexInput::readVInt);
  }

  /** One long. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long readLong(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.sequential(file, SINGLE_READS, Long.BYTES, hole, IndexInput::readLong);
  }

  /** 128 longs. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readLongs(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.sequential(file, BULK_READS, Cursor.VALUES * Long.BYTES, hole, cursor::readLongs);
  }

  /** 128 ints. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readInts(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.sequential(
        file, BULK_READS, Cursor.VALUES * Integer.BYTES, hole, cursor::readInts);
  }

  /** 128 floats. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readFloats(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.sequential(
        file, BULK_READS, Cursor.VALUES * Float.BYTES, hole, cursor::readFloats);
  }

  /** 128 integers in groups of four. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readGroupVInt(InputFile.GroupVInts file, Cursor cursor, Blackhole hole)
      throws IOException {
    return cursor.sequential(file, BULK_READS, Block.MAX_GROUPS_BYTES, hole, cursor::readGroupVInt);
  }

  /** As many bytes as the piece is long. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readBytes(InputFile.Bytes file, Cursor cursor, Piece piece, Blackhole hole)
      throws IOException {
    return cursor.sequential(file, BULK_READS, piece.size, hole, piece::read);
  }
}
