package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.GroupVIntUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A seek to a random value and a read of it, together one operation.
 *
 * <p>Positions are computed before the run. They do not depend on what was read, so the processor
 * overlaps reads where the input lets it; {@link RandomAccessReads#readLongChain} is the opposite.
 */
public class RandomReads extends ReadBenchmark {
  /** One byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readByte(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      in.seek(positions[i]);
      byte value = in.readByte();
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One integer in variable length. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readVInt(InputFile.VInts file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      in.seek(positions[i]);
      int value = in.readVInt();
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** One long, at any byte. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long readLong(InputFile.Bytes file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      in.seek(positions[i]);
      long value = in.readLong();
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** 128 longs. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readLongs(InputFile.Bytes file, Cursor cursor) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.BULK_READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.BULK_READS; i++) {
      in.seek(positions[i]);
      in.readLongs(cursor.longs, 0, Cursor.VALUES);
      sum += cursor.longs[Cursor.VALUES - 1];
    }
    return sum;
  }

  /** 128 ints. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readInts(InputFile.Bytes file, Cursor cursor) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.BULK_READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.BULK_READS; i++) {
      in.seek(positions[i]);
      in.readInts(cursor.ints, 0, Cursor.VALUES);
      sum += cursor.ints[Cursor.VALUES - 1];
    }
    return sum;
  }

  /** 128 floats. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readFloats(InputFile.Bytes file, Cursor cursor) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.BULK_READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.BULK_READS; i++) {
      in.seek(positions[i]);
      in.readFloats(cursor.floats, 0, Cursor.VALUES);
      sum += Float.floatToRawIntBits(cursor.floats[Cursor.VALUES - 1]);
    }
    return sum;
  }

  /** 128 integers in groups of four. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readGroupVInt(InputFile.GroupVInts file, Cursor cursor) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.BULK_READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.BULK_READS; i++) {
      in.seek(positions[i]);
      GroupVIntUtil.readGroupVInts(in, cursor.ints, Block.GROUP_VALUES);
      sum += cursor.ints[Block.GROUP_VALUES - 1];
    }
    return sum;
  }

  /** As many bytes as the piece is long. */
  @Benchmark
  @OperationsPerInvocation(Cursor.BULK_READS)
  public long readBytes(InputFile.Bytes file, Cursor cursor, Piece piece) throws IOException {
    IndexInput in = cursor.random(file);
    long[] positions = file.positions;
    int first = cursor.take(Cursor.BULK_READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.BULK_READS; i++) {
      in.seek(positions[i]);
      in.readBytes(piece.bytes, 0, piece.size);
      sum += piece.bytes[piece.size - 1];
    }
    return sum;
  }
}
