package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.GroupVIntUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Reads from front to back, one call an operation; an invocation goes on where the last one ended.
 *
 * <p>Each single value goes into a black hole, which keeps the compiler from reading several at a
 * time; the sum is what tests compare.
 */
public class SequentialReads extends ReadBenchmark {
  private static final int SINGLE_READS = 1 << 14;
  private static final int BULK_READS = 1 << 6;

  /** One byte. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long readByte(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.sequential(file, SINGLE_READS);
    long sum = 0;
    for (int i = 0; i < SINGLE_READS; i++) {
      byte value = in.readByte();
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One integer in variable length. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long readVInt(InputFile.VInts file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.sequential(file, SINGLE_READS * Block.MAX_VINT_BYTES);
    long sum = 0;
    for (int i = 0; i < SINGLE_READS; i++) {
      int value = in.readVInt();
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One long. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long readLong(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.sequential(file, SINGLE_READS * Long.BYTES);
    long sum = 0;
    for (int i = 0; i < SINGLE_READS; i++) {
      long value = in.readLong();
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** 128 longs. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readLongs(InputFile.Bytes file, Cursor cursor) throws IOException {
    IndexInput in = cursor.sequential(file, BULK_READS * Cursor.VALUES * Long.BYTES);
    long sum = 0;
    for (int i = 0; i < BULK_READS; i++) {
      in.readLongs(cursor.longs, 0, Cursor.VALUES);
      sum += cursor.longs[Cursor.VALUES - 1];
    }
    return sum;
  }

  /** 128 ints. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readInts(InputFile.Bytes file, Cursor cursor) throws IOException {
    IndexInput in = cursor.sequential(file, BULK_READS * Cursor.VALUES * Integer.BYTES);
    long sum = 0;
    for (int i = 0; i < BULK_READS; i++) {
      in.readInts(cursor.ints, 0, Cursor.VALUES);
      sum += cursor.ints[Cursor.VALUES - 1];
    }
    return sum;
  }

  /** 128 floats. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readFloats(InputFile.Bytes file, Cursor cursor) throws IOException {
    IndexInput in = cursor.sequential(file, BULK_READS * Cursor.VALUES * Float.BYTES);
    long sum = 0;
    for (int i = 0; i < BULK_READS; i++) {
      in.readFloats(cursor.floats, 0, Cursor.VALUES);
      sum += Float.floatToRawIntBits(cursor.floats[Cursor.VALUES - 1]);
    }
    return sum;
  }

  /** 128 integers in groups of four. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readGroupVInt(InputFile.GroupVInts file, Cursor cursor) throws IOException {
    IndexInput in = cursor.sequential(file, BULK_READS * Block.MAX_GROUPS_BYTES);
    long sum = 0;
    for (int i = 0; i < BULK_READS; i++) {
      GroupVIntUtil.readGroupVInts(in, cursor.ints, Block.GROUP_VALUES);
      sum += cursor.ints[Block.GROUP_VALUES - 1];
    }
    return sum;
  }

  /** As many bytes as the piece is long. */
  @Benchmark
  @OperationsPerInvocation(BULK_READS)
  public long readBytes(InputFile.Bytes file, Cursor cursor, Piece piece) throws IOException {
    IndexInput in = cursor.sequential(file, BULK_READS * piece.size);
    long sum = 0;
    for (int i = 0; i < BULK_READS; i++) {
      in.readBytes(piece.bytes, 0, piece.size);
      sum += piece.bytes[piece.size - 1];
    }
    return sum;
  }
}
