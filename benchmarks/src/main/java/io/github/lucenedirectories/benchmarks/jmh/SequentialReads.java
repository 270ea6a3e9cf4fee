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
 * Reads from front to back, one call an operation. Each value goes into a black hole, which keeps
 * the compiler from reading several at a time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SequentialReads {

  /** Reads on from where the last invocation ended, or from the start if too little follows. */
  @Benchmark
  @OperationsPerInvocation(Cursor.READS)
  public long read(InputFile.OfValues file, Cursor cursor, Blackhole hole) throws IOException {
    IndexInput in = cursor.sequential(file);
    Value.Read read = file.value.read;
    long room = (long) Cursor.STRETCH * file.value.maxBytes;
    long sum = 0;
    for (int i = 0; i < Cursor.READS; i += Cursor.STRETCH) {
      if (file.dataBytes - in.getFilePointer() < room) {
        in.seek(0);
      }
      for (int j = 0; j < Cursor.STRETCH; j++) {
        long value = read.from(in, cursor);
        hole.consume(value);
        sum += value;
      }
    }
    return sum;
  }
}
