package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.GroupVIntUtil;
import org.apache.lucene.util.LongValues;
import org.apache.lucene.util.packed.DirectReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a read pays when its call sites also meet another directory in the same JVM.
 *
 * <p>It pays nothing where both directories bring one class of input. Where they bring two, calls
 * that the compiler had inlined become tests of types or virtual calls.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MixedDirectories {
  private static final int SINGLE_READS = 1 << 14;
  private static final int GROUP_READS = 1 << 7;

  /** One value of 16 bits, through Lucene's reader of numeric doc values: a sort by a field. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long docValue(DocValues pair, Blackhole hole) throws IOException {
    return pair.sum(hole);
  }

  /** One integer in variable length. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long vInt(VInts pair, Blackhole hole) throws IOException {
    return pair.sum(hole);
  }

  /** 128 integers in groups of four, as in a block of postings. */
  @Benchmark
  @OperationsPerInvocation(GROUP_READS)
  public long groupVInt(GroupVInts pair, Blackhole hole) throws IOException {
    return pair.sum(hole);
  }

  /** Files of random values of 16 bits, of which every seventh is read. */
  public static class DocValues extends DirectoryPair {
    private static final int BITS_PER_VALUE = 16;
    private static final long STRIDE = 7;

    @Override
    Block block() {
      return Block.randomBytes();
    }

    @Override
    long sum(IndexInput in, Blackhole hole) throws IOException {
      LongValues values =
          DirectReader.getInstance(in.randomAccessSlice(0, in.length()), BITS_PER_VALUE);
      long sum = 0;
      for (int i = 0; i < SINGLE_READS; i++) {
        long value = values.get(STRIDE * i);
        hole.consume(value);
        sum += value;
      }
      return sum;
    }
  }

  /** Files of integers in variable length. */
  public static class VInts extends DirectoryPair {
    @Override
    Block block() {
      return Block.vInts();
    }

    @Override
    long sum(IndexInput in, Blackhole hole) throws IOException {
      in.seek(0);
      long sum = 0;
      for (int i = 0; i < SINGLE_READS; i++) {
        int value = in.readVInt();
        hole.consume(value);
        sum += value;
      }
      return sum;
    }
  }

  /** Files of runs of integers in groups of four. */
  public static class GroupVInts extends DirectoryPair {
    private final int[] values = new int[Block.GROUP_VALUES];

    @Override
    Block block() {
      return Block.groupVInts();
    }

    @Override
    long sum(IndexInput in, Blackhole hole) throws IOException {
      in.seek(0);
      long sum = 0;
      for (int i = 0; i < GROUP_READS; i++) {
        GroupVIntUtil.readGroupVInts(in, values, Block.GROUP_VALUES);
        sum += values[Block.GROUP_VALUES - 1];
      }
      return sum;
    }
  }
}
