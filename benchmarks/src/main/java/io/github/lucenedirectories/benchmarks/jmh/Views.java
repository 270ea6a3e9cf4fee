package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * Clones and slices of an open input, alone and with a first read, since an input may put off its
 * work until then. Like Lucene, nothing here closes them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Views {
  private static final int SLICE_BYTES = 1 << 12;
  private static final String DESCRIPTION = "part";

  /** A clone. */
  @Benchmark
  public IndexInput copy(InputFile file, Cursor cursor) throws IOException {
    return cursor.random(file).clone();
  }

  /** A clone, a seek and a long. */
  @Benchmark
  public long copyAndRead(InputFile file, Cursor cursor) throws IOException {
    IndexInput in = cursor.random(file).clone();
    in.seek(file.positions[cursor.take(1)]);
    return in.readLong();
  }

  /** A slice. */
  @Benchmark
  public IndexInput slice(InputFile file, Cursor cursor) throws IOException {
    long position = file.positions[cursor.take(1)];
    return cursor.random(file).slice(DESCRIPTION, position, SLICE_BYTES);
  }

  /** A slice and a long. */
  @Benchmark
  public long sliceAndRead(InputFile file, Cursor cursor) throws IOException {
    long position = file.positions[cursor.take(1)];
    return cursor.random(file).slice(DESCRIPTION, position, SLICE_BYTES).readLong();
  }

  /** A slice for absolute reads. */
  @Benchmark
  public RandomAccessInput randomAccessSlice(InputFile file, Cursor cursor) throws IOException {
    long position = file.positions[cursor.take(1)];
    return cursor.random(file).randomAccessSlice(position, SLICE_BYTES);
  }
}
