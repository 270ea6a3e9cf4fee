package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.RandomAccessInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.infra.Blackhole;

/** One absolute read through {@link RandomAccessInput} at a random position: doc values, norms. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RandomAccessReads {
  /** One byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readByte(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.randomAccess(file, Cursor.READS, hole, RandomAccessInput::readByte);
  }

  /** One short, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readShort(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.randomAccess(file, Cursor.READS, hole, RandomAccessInput::readShort);
  }

  /** One int, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readInt(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.randomAccess(file, Cursor.READS, hole, RandomAccessInput::readInt);
  }

  /** One long, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readLong(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    return cursor.randomAccess(file, Cursor.READS, hole, RandomAccessInput::readLong);
  }

  /** As many bytes as the piece is long. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readBytes(InputFile.Bytes file, Cursor cursor, Piece piece, Blackhole hole)
      throws IOException {
    return cursor.randomAccess(file, Cursor.BULK_READS, hole, piece::readAt);
  }
}
