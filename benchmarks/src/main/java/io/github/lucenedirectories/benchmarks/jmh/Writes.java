package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One file created, written and closed, without a sync. Its deletion is not measured. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Writes {
  /** The length of a file that holds one byte beside Lucene's footer. */
  static final int MIN_BYTES = 17;

  private static final int SMALL_FILES = 64;
  private static final int PIECE_BYTES = 1 << 13;
  private static final long LARGE_BYTES = 64L << 20;
  private static final IOContext MERGE =
      IOContext.merge(new MergeInfo(1 << 20, LARGE_BYTES, false, 1));

  /** A small file, in the context of a flush. */
  @Benchmark
  @OperationsPerInvocation(SMALL_FILES)
  public void small(NewFiles files, Written written, Small small) throws IOException {
    IOContext flush = IOContext.flush(new FlushInfo(1, small.size));
    for (int i = 0; i < SMALL_FILES; i++) {
      written.add(files.writeBytes(flush, small.size, PIECE_BYTES));
    }
  }

  /** A file of 64 MiB in pieces of 8 KiB, in the context of a merge. */
  @Benchmark
  public void large(NewFiles files, Written written) throws IOException {
    written.add(files.writeBytes(MERGE, LARGE_BYTES, PIECE_BYTES));
  }

  /** A file of 64 MiB, integer by integer in variable length, in the context of a merge. */
  @Benchmark
  public void largeByVInt(NewFiles files, Written written) throws IOException {
    written.add(files.writeVInts(MERGE, LARGE_BYTES));
  }

  /** The length of a small file. */
  @State(Scope.Benchmark)
  public static class Small {
    /** Bytes, the footer's 16 included. */
    @Param({"100", "4096"})
    public int size;
  }
}
