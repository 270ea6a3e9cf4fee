package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Reads of 8 bytes all over a file of gigabytes, each at the position that the read before it
 * returned. The processor cannot overlap them, so the time is the latency of memory and of the page
 * tables: what a lookup in a large index pays, and what larger pages save.
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
    RandomAccessInput in = place.input();
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
    public void start(ChainFile chain, ThreadParams thread) throws IOException {
      IndexInput in = chain.cloneInput();
      long slots = in.length() / Long.BYTES;
      position = slots / thread.getThreadCount() * thread.getThreadIndex() * Long.BYTES;
      input = in.randomAccessSlice(0, in.length());
    }

    RandomAccessInput input() {
      return input;
    }
  }
}
