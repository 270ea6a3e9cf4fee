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
import org.openjdk.jmh.infra.ThreadParams;

/** One thread's place in an {@link InputFile}, and arrays to read into. */
@State(Scope.Thread)
public class Cursor {
  /** Elements of each array, as many as in a block of Lucene's postings. */
  static final int VALUES = 128;

  /** Reads in one invocation; divides the number of positions. */
  static final int READS = 1024;

  /** Sequential reads for which there must be room; divides {@value #READS}. */
  static final int STRETCH = 64;

  private final long[] longs = new long[VALUES];
  private final int[] ints = new int[VALUES];
  private final float[] floats = new float[VALUES];
  private final byte[] bytes = new byte[InputFile.MAX_READ_BYTES];

  private @Nullable IndexInput input;
  private @Nullable RandomAccessInput randomAccess;
  private int nextRead;

  /** Lets threads start at different positions. */
  @Setup
  public void start(ThreadParams thread) {
    nextRead = thread.getThreadIndex() * READS % InputFile.POSITIONS;
  }

  /** The input to read from front to back. */
  IndexInput sequential(InputFile file) throws IOException {
    return input(file, DataAccessHint.SEQUENTIAL);
  }

  /** The input, to be positioned by the caller. */
  IndexInput random(InputFile file) throws IOException {
    return input(file, DataAccessHint.RANDOM);
  }

  private IndexInput input(InputFile file, DataAccessHint hint) throws IOException {
    IndexInput in = input;
    if (in == null) {
      in = file.open(hint);
      input = in;
    }
    return in;
  }

  /** The whole file for reads without a seek. */
  RandomAccessInput randomAccess(InputFile file) throws IOException {
    RandomAccessInput in = randomAccess;
    if (in == null) {
      IndexInput whole = random(file);
      in = whole.randomAccessSlice(0, whole.length());
      randomAccess = in;
    }
    return in;
  }

  /** The first of the next {@code reads} positions; a power of two, at most {@value #READS}. */
  int take(int reads) {
    int first = nextRead;
    nextRead = (first + reads) & (InputFile.POSITIONS - 1);
    return first;
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
    GroupVIntUtil.readGroupVInts(in, ints, VALUES);
    return ints[VALUES - 1];
  }

  long readBytes(IndexInput in, int count) throws IOException {
    in.readBytes(bytes, 0, count);
    return bytes[count - 1];
  }
}
