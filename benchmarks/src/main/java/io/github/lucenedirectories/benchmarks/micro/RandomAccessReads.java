package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import org.apache.lucene.store.RandomAccessInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/** One absolute read through {@link RandomAccessInput} at a random position: doc values, norms. */
public class RandomAccessReads extends ReadBenchmark {
  /** One byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readByte(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    RandomAccessInput in = cursor.randomAccess(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      byte value = in.readByte(positions[i]);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One short, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readShort(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    RandomAccessInput in = cursor.randomAccess(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      short value = in.readShort(positions[i]);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One int, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readInt(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    RandomAccessInput in = cursor.randomAccess(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      int value = in.readInt(positions[i]);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One long, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readLong(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    RandomAccessInput in = cursor.randomAccess(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      long value = in.readLong(positions[i]);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One long whose position the read before it returned: the latency of memory and page table. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readLongChain(InputFile.Cycle file, Cursor cursor, Link link) throws IOException {
    RandomAccessInput in = cursor.randomAccess(file);
    long position = link.position;
    for (int i = 0; i < Cursor.READS; i++) {
      position = in.readLong(position);
    }
    link.position = position;
    return position;
  }

  /** As many bytes as the piece is long. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readBytes(InputFile.Bytes file, Cursor cursor, Piece piece) throws IOException {
    RandomAccessInput in = cursor.randomAccess(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.BULK_READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.BULK_READS; i++) {
      in.readBytes(positions[i], piece.bytes, 0, piece.size);
      sum += piece.bytes[piece.size - 1];
    }
    return sum;
  }
}
