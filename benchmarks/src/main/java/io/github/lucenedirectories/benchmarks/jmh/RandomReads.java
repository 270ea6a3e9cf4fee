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

  /** Seeks and reads. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long read(InputFile.OfValues file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.random(file);
    Value.Read read = file.value.read;
    long[] positions = file.positions;
    int first = cursor.take(Cursor.READS);
    long sum = 0;
    for (int i = first; i < first + Cursor.READS; i++) {
      in.seek(positions[i]);
      long value = read.from(in, cursor);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }
}
