package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
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

  /** Random reads in one invocation; divides the number of positions. */
  static final int READS = 4096;

  /** Random reads of many values each in one invocation. */
  static final int BULK_READS = 256;

  final long[] longs = new long[VALUES];
  final int[] ints = new int[VALUES];
  final float[] floats = new float[VALUES];

  private @Nullable IndexInput input;
  private @Nullable RandomAccessInput randomAccess;
  private int nextRead;

  /** Lets threads start at different positions. */
  @Setup
  public void start(ThreadParams thread) {
    nextRead = thread.getThreadIndex() * READS % InputFile.POSITIONS;
  }

  /** The input where the last invocation left it, or at the start if less than that many follow. */
  IndexInput sequential(InputFile file, int maxBytes) throws IOException {
    IndexInput in = input(file, DataAccessHint.SEQUENTIAL);
    if (file.dataBytes - in.getFilePointer() < maxBytes) {
      in.seek(0);
    }
    return in;
  }

  /** The input, to be positioned by the caller. */
  IndexInput random(InputFile file) throws IOException {
    return input(file, DataAccessHint.RANDOM);
  }

  /** The whole file for absolute reads. */
  RandomAccessInput randomAccess(InputFile file) throws IOException {
    RandomAccessInput access = randomAccess;
    if (access == null) {
      IndexInput in = random(file);
      access = in.randomAccessSlice(0, in.length());
      randomAccess = access;
    }
    return access;
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
