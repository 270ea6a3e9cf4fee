package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.FileCalls.Advice;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Reads of {@value #READ_BYTES} bytes each all over a file that is not in the page cache. The cache
 * is emptied of the file before each invocation, outside the measured time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ColdReads {

  static final int READS = 16;

  static final int READ_BYTES = 1 << 12;

  /** One read after the other. */
  @Benchmark
  @OperationsPerInvocation(READS)
  public byte read(ColdFile file, Places places) throws IOException {
    return places.readAll(file.opened().clone());
  }

  /** All are announced before the first is read. */
  @Benchmark
  @OperationsPerInvocation(READS)
  public byte readPrefetched(ColdFile file, Places places) throws IOException {
    IndexInput in = file.opened().clone();
    for (long position : places.positions) {
      in.prefetch(position, READ_BYTES);
    }
    return places.readAll(in);
  }

  @State(Scope.Thread)
  public static class Places {
    private final SplittableRandom random = new SplittableRandom(Block.SEED);
    private final long[] positions = new long[READS];
    private final byte[] bytes = new byte[READ_BYTES];

    /** Takes other places and empties the cache. */
    @Setup(Level.Invocation)
    public void chill(ColdFile file) throws IOException {
      for (int i = 0; i < READS; i++) {
        positions[i] = random.nextLong(file.opened().length() - READ_BYTES);
      }
      file.evict();
    }

    private byte readAll(IndexInput in) throws IOException {
      byte sum = 0;
      for (long position : positions) {
        in.seek(position);
        in.readBytes(bytes, 0, READ_BYTES);
        sum += bytes[0];
      }
      return sum;
    }
  }

  public static class ColdFile extends DirectoryState {
    @Param("256m")
    public String fileBytes = "";

    private final FileCalls calls = NativeCalls.get().orElseThrow().files();
    private int descriptor;
    private @Nullable IndexInput input;

    @Override
    void prepare(Directory directory) throws IOException {
      Block block = Block.randomBytes();
      long times = Math.ceilDiv(ByteCount.parse(fileBytes), block.bytes().length);
      write(directory, NAME, block, Math.toIntExact(times));
      // What is not on the disk cannot leave the cache.
      directory.sync(List.of(NAME));
      descriptor = calls.openForRead(NativePath.of(folder().resolve(NAME)).orElseThrow());
      input =
          directory.openInput(
              NAME, IOContext.DEFAULT.withHints(FileTypeHint.DATA, DataAccessHint.RANDOM));
    }

    @Override
    void release() throws IOException {
      calls.close(descriptor);
      opened().close();
    }

    private IndexInput opened() {
      return Objects.requireNonNull(input, "not set up");
    }

    void evict() throws IOException {
      calls.advise(descriptor, 0, 0, Advice.NOT_NEEDED);
      if (calls.isCached(descriptor, 0, READ_BYTES).orElse(false)) {
        throw new IOException("the page cache keeps the file: is it on a disk? " + folder());
      }
    }
  }
}
