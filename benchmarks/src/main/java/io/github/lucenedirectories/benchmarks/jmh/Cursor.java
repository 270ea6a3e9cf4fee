package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.GroupVIntUtil;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * One thread's place in an {@link InputFile}, arrays to read into, and the loops of reads.
 *
 * <p>All benchmarks share the loops. That costs nothing: a JVM runs one benchmark, so the compiler
 * sees one implementation of {@link Read} and inlines it. Each value goes into a black hole, which
 * keeps the compiler from reading several at a time; the sum is what tests compare.
 */
@State(Scope.Thread)
public class Cursor {
  /** Elements of each array, as many as in a block of Lucene's postings. */
  static final int VALUES = 128;

  /** Reads of single values in one invocation; divides the number of positions. */
  static final int READS = 4096;

  /** Reads of many values each in one invocation. */
  static final int BULK_READS = 256;

  private final long[] longs = new long[VALUES];
  private final int[] ints = new int[VALUES];
  private final float[] floats = new float[VALUES];

  private @Nullable IndexInput input;
  private @Nullable RandomAccessInput randomAccess;
  private int nextRead;

  /** One operation. Returns what it read, or some of it. */
  @FunctionalInterface
  interface Read {
    long from(IndexInput in) throws IOException;
  }

  /** One operation at a position. Returns what it read, or some of it. */
  @FunctionalInterface
  interface ReadAt {
    long from(RandomAccessInput in, long position) throws IOException;
  }

  /** Lets threads start at different positions. */
  @Setup
  public void start(ThreadParams thread) {
    nextRead = thread.getThreadIndex() * READS % InputFile.POSITIONS;
  }

  /**
   * Reads on from where the last invocation ended, or from the start if too little follows.
   *
   * @param maxBytes that one read may take
   */
  long sequential(InputFile file, int reads, int maxBytes, Blackhole hole, Read read)
      throws IOException {
    IndexInput in = input(file, DataAccessHint.SEQUENTIAL);
    if (file.dataBytes - in.getFilePointer() < (long) reads * maxBytes) {
      in.seek(0);
    }
    long sum = 0;
    for (int i = 0; i < reads; i++) {
      long value = read.from(in);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** Seeks to random positions and reads there. */
  long random(InputFile file, int reads, Blackhole hole, Read read) throws IOException {
    IndexInput in = random(file);
    long[] positions = file.positions;
    int first = take(reads);
    long sum = 0;
    for (int i = first; i < first + reads; i++) {
      in.seek(positions[i]);
      long value = read.from(in);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  /** Reads at random positions without a seek. */
  long randomAccess(InputFile file, int reads, Blackhole hole, ReadAt read) throws IOException {
    RandomAccessInput in = randomAccess;
    if (in == null) {
      IndexInput whole = random(file);
      in = whole.randomAccessSlice(0, whole.length());
      randomAccess = in;
    }
    long[] positions = file.positions;
    int first = take(reads);
    long sum = 0;
    for (int i = first; i < first + reads; i++) {
      long value = read.from(in, positions[i]);
      hole.consume(value);
      sum += value;
    }
    return sum;
  }

  long readLongs(IndexInput in) throws IOException {
    in.readLongs(longs, 0, VALUES);
    return longs[VALUES - 1];
  }

  long readInts(IndexInput in) throws IOException {
    in.readInts(ints, 0, VALUES);
    return ints[VALUES - 1];
  }

  long readFloats(IndexInput in) throws IOException {
    in.readFloats(floats, 0, VALUES);
    return Float.floatToRawIntBits(floats[VALUES - 1]);
  }

  long readGroupVInt(IndexInput in) throws IOException {
    GroupVIntUtil.readGroupVInts(in, ints, Block.GROUP_VALUES);
    return ints[Block.GROUP_VALUES - 1];
  }

  /** The input, to be positioned by the caller. */
  IndexInput random(InputFile file) throws IOException {
    return input(file, DataAccessHint.RANDOM);
  }

  /** The first of the next {@code reads} positions; a power of two, at most {@value #READS}. */
  int take(int reads) {
    int first = nextRead;
    nextRead = (first + reads) & (InputFile.POSITIONS - 1);
    return first;
  }

  private IndexInput input(InputFile file, DataAccessHint hint) throws IOException {
    IndexInput in = input;
    if (in == null) {
      in = file.open(hint);
      input = in;
    }
    return in;
  }
}
