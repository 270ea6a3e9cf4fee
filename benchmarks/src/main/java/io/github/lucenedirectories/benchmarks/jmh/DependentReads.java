package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Reads of 8 bytes all over a large file, each at the position that the read before it returned.
 * The processor cannot overlap them, so the time is the latency of memory and of the page tables:
 * what a lookup in a large index pays, and what larger pages save.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DependentReads {
  /** Reads in one invocation. */
  static final int READS = 1 << 12;

  /** One long, by {@link RandomAccessInput}. */
  @Benchmark
  @OperationsPerInvocation(READS)
  public long readLong(Place place) throws IOException {
    RandomAccessInput in = place.input;
    long position = place.position;
    for (int i = 0; i < READS; i++) {
      position = in.readLong(position);
    }
    place.position = position;
    return position;
  }

  /** One thread's input and its place in the chain. */
  @State(Scope.Thread)
  public static class Place {
    long position;
    private RandomAccessInput input;

    /** Lets threads start far from each other. */
    @Setup
    public void start(Chain chain, ThreadParams thread) throws IOException {
      IndexInput in = Objects.requireNonNull(chain.input).clone();
      long slots = in.length() / Long.BYTES;
      position = slots / thread.getThreadCount() * thread.getThreadIndex() * Long.BYTES;
      input = in.randomAccessSlice(0, in.length());
    }
  }

  /**
   * A file of 8-byte positions, each naming the next one, in one random cycle through all of them.
   * It is synced and read once before the measured time, so that it is in the page cache and
   * nothing is written back meanwhile.
   */
  public static class Chain extends DirectoryState {
    /** The name of the parameter. */
    static final String LENGTH = "chainBytes";

    private static final String NAME = "_0.dat";
    private static final int PAGE_BYTES = 1 << 12;

    /** The file's length, a power of two; by default far beyond what the TLB covers. */
    @Param("4g")
    public String chainBytes = "";

    private @Nullable IndexInput input;

    @Override
    void prepare(Directory opened) throws IOException {
      long bytes = ByteCount.parse(chainBytes);
      if (bytes < 1 << 16 || Long.bitCount(bytes) != 1) {
        throw new IllegalArgumentException(
            LENGTH + " must be a power of two of at least 64k: " + chainBytes);
      }
      long slots = bytes / Long.BYTES;
      try (IndexOutput out = opened.createOutput(NAME, IOContext.DEFAULT)) {
        for (long slot = 0; slot < slots; slot++) {
          out.writeLong(next(slot, slots) * Long.BYTES);
        }
      }
      opened.sync(List.of(NAME));
      IndexInput in =
          opened.openInput(
              NAME, IOContext.DEFAULT.withHints(FileTypeHint.DATA, DataAccessHint.RANDOM));
      input = in;
      for (long position = 0; position < bytes; position += PAGE_BYTES) {
        in.seek(position);
        in.readByte();
      }
    }

    /**
     * The slot that follows. A linear congruential generator modulo a power of two runs through all
     * numbers in one cycle if its increment is odd and its multiplier is 1 modulo 4 (Hull and
     * Dobell, 1962). Its low bits repeat soon, but they only say where in a page a slot is.
     */
    static long next(long slot, long slots) {
      return (slot * 6364136223846793005L + 1442695040888963407L) & (slots - 1);
    }

    @Override
    void release() throws IOException {
      IOUtils.close(input);
    }
  }
}
