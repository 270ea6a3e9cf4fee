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

/**
 * A seek to a random value and a read of it, together one operation.
 *
 * <p>Positions are computed before the run. They do not depend on what was read, so the processor
 * overlaps reads where the input lets it; {@link DependentReads} is the opposite.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RandomReads {
  /** One byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readByte(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.random(file, Cursor.READS, hole, IndexInput::readByte);
  }

  /** One integer in variable length. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readVInt(InputFile.VInts file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.random(file, Cursor.READS, hole, IndexInput::readVInt);
  }

  /** One long, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readLong(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.random(file, Cursor.READS, hole, IndexInput::readLong);
  }

  /** 128 longs. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readLongs(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.random(file, Cursor.BULK_READS, hole, cursor::readLongs);
  }

  /** 128 ints. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readInts(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.random(file, Cursor.BULK_READS, hole, cursor::readInts);
  }

  /** 128 floats. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readFloats(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.random(file, Cursor.BULK_READS, hole, cursor::readFloats);
  }

  /** 128 integers in groups of four. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readGroupVInt(InputFile.GroupVInts file, Cursor cursor, Blackhole hole)
      throws IOException {
    return cursor.random(file, Cursor.BULK_READS, hole, cursor::readGroupVInt);
  }

  /** As many bytes as the piece is long. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readBytes(InputFile.Bytes file, Cursor cursor, Piece piece, Blackhole hole)
      throws IOException {
    return cursor.random(file, Cursor.BULK_READS, hole, piece::read);
  }
}
