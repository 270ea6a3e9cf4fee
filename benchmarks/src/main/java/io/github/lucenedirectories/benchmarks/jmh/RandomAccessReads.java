package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.RandomAccessInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** One absolute read through {@link RandomAccessInput} at a random position: doc values, norms. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class RandomAccessReads {
  @Param public Type type = Type.BYTE;

  /** What is read, at any byte. */
  public enum Type {
    BYTE(RandomAccessInput::readByte),
    SHORT(RandomAccessInput::readShort),
    INT(RandomAccessInput::readInt),
    LONG(RandomAccessInput::readLong);

    private final Read read;

    Type(Read read) {
      this.read = read;
    }
  }

  @FunctionalInterface
  private interface Read {
    long at(RandomAccessInput in, long position) throws IOException;
  }

  /** Reads without a seek. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long read(InputFile file, Cursor cursor, Blackhole hole) throws IOException {
    RandomAccessInput in = cursor.randomAccess(file);
    Read read = type.read;
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      long value = read.at(in, positions[i]);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }
}
