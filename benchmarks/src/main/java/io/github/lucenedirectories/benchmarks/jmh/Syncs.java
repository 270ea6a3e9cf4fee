package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.jmh.Writes.NewFiles;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A sync of the new files of a commit, which were written just before, outside the measured time.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Syncs {

  /** All files at once, as an index writer asks for them. */
  @Benchmark
  public void sync(NewFiles files, Unsynced unsynced) throws IOException {
    files.directory().sync(unsynced.names);
  }

  /** Files that were written and not synced. */
  public static class Unsynced extends Writes.Written {
    private static final int LEAST_BYTES = 1_000;
    private static final int STEP_BYTES = 3_000;

    /** How many files; the first has 1,000 bytes, each further one 3,000 more. */
    @Param("12")
    public int count;

    /** Writes them. */
    @Setup(Level.Invocation)
    public void write(NewFiles files) throws IOException {
      for (int i = 0; i < count; i++) {
        int bytes = LEAST_BYTES + i * STEP_BYTES;
        names.add(files.writeBytes(IOContext.flush(new FlushInfo(1, bytes)), bytes, bytes));
      }
    }
  }
}
