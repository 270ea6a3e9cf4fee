// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.GroupVIntUtil;
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
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.ThreadParams;

/** Reads of one file that is in memory: the average time of one operation. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class Reads extends MicroBenchmark {

  /**
   * Reads from front to back, one call an operation. Each value goes into a black hole, which keeps
   * the compiler from reading several at a time.
   */
  public static class SequentialReads extends Reads {

    /** Reads on from where the last invocation ended, or from the start if too little follows. */
    @Benchmark
    @OperationsPerInvocation(Cursor.READS)
    public long read(InputFile.OfValues file, Cursor cursor, Blackhole hole) throws IOException {
      IndexInput in = cursor.input(file, DataAccessHint.SEQUENTIAL);
      Operand.Read read = file.value.read;
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

  /**
   * A seek to a random place and a read there, together one operation.
   *
   * <p>Positions are computed before the run. They do not depend on what was read, so the processor
   * overlaps reads where the input lets it.
   */
  public static class RandomReads extends Reads {

    @Benchmark
    @OperationsPerInvocation(Cursor.READS)
    public long read(InputFile.OfValues file, Cursor cursor, Blackhole hole) throws IOException {
      IndexInput in = cursor.random(file);
      Operand.Read read = file.value.read;
      long[] positions = file.positions;
      int first = cursor.take(Cursor.READS);
      long sum = 0;
      for (int i = first; i < first + Cursor.READS; i++) {
        in.seek(positions[i]);
        long value = read.from(in, cursor);
        hole.consume(value);
        sum += value;
      }
      return sum;
    }
  }

  /**
   * Clones and slices of an open input, alone and with a first read, since an input may put off its
   * work until then. Like Lucene, nothing here closes them.
   */
  public static class Views extends Reads {
    private static final int SLICE_BYTES = 1 << 12;
    private static final String DESCRIPTION = "part";

    @Benchmark
    public IndexInput copy(InputFile file, Cursor cursor) throws IOException {
      return cursor.random(file).clone();
    }

    @Benchmark
    public long copyAndRead(InputFile file, Cursor cursor) throws IOException {
      IndexInput in = cursor.random(file).clone();
      in.seek(file.positions[cursor.take(1)]);
      return in.readLong();
    }

    @Benchmark
    public IndexInput slice(InputFile file, Cursor cursor) throws IOException {
      long position = file.positions[cursor.take(1)];
      return cursor.random(file).slice(DESCRIPTION, position, SLICE_BYTES);
    }

    @Benchmark
    public long sliceAndRead(InputFile file, Cursor cursor) throws IOException {
      long position = file.positions[cursor.take(1)];
      return cursor.random(file).slice(DESCRIPTION, position, SLICE_BYTES).readLong();
    }

    @Benchmark
    public RandomAccessInput randomAccessSlice(InputFile file, Cursor cursor) throws IOException {
      long position = file.positions[cursor.take(1)];
      return cursor.random(file).randomAccessSlice(position, SLICE_BYTES);
    }
  }

  /** A file of random bytes in the directory under test, and positions to read it at. */
  public static class InputFile extends DirectoryState {
    /** The positions in {@link #positions}, a power of two. */
    static final int POSITIONS = 1 << 18;

    /** A read of so many bytes at any of the {@link #positions} stays inside the file. */
    static final int MAX_READ_BYTES = 1 << 16;

    /** The shortest file in which every benchmark finds room for {@link Cursor#STRETCH} reads. */
    static final int MIN_FILE_BYTES = 1 << 22;

    /** The file's length; the default is beyond the second-level caches of processor and TLB. */
    @Param("64m")
    public String fileBytes = "";

    /** Random places in the data. */
    final long[] positions = new long[POSITIONS];

    /** The length without the bytes that give room behind the last position. */
    long dataBytes;

    private @Nullable IndexInput input;

    byte[] block() {
      return Block.randomBytes();
    }

    @Override
    void prepare(Directory opened) throws IOException {
      byte[] block = block();
      long bytes = ByteCount.parse(fileBytes);
      if (bytes < MIN_FILE_BYTES) {
        throw new IllegalArgumentException("fileBytes must be at least 4m: " + fileBytes);
      }
      try (IndexOutput out = opened.createOutput(NAME, IOContext.DEFAULT)) {
        for (dataBytes = 0; dataBytes + block.length <= bytes; dataBytes += block.length) {
          out.writeBytes(block, block.length);
        }
        out.writeBytes(new byte[MAX_READ_BYTES], MAX_READ_BYTES);
      }
      SplittableRandom random = new SplittableRandom(Block.SEED);
      Arrays.setAll(positions, _ -> random.nextLong(dataBytes));
    }

    @Override
    void release() throws IOException {
      IOUtils.close(input);
    }

    /**
     * A clone of the one input that all threads of a trial share; the first caller's hint counts.
     */
    private synchronized IndexInput open(DataAccessHint hint) throws IOException {
      if (input == null) {
        input = directory().openInput(NAME, IOContext.DEFAULT.withHints(FileTypeHint.DATA, hint));
      }
      return input.clone();
    }

    public static class OfValues extends InputFile {
      @Param public Operand value = Operand.BYTE;

      @Override
      byte[] block() {
        return value.block.get();
      }
    }
  }

  /** One thread's place in an {@link InputFile}, and arrays to read into. */
  @State(Scope.Thread)
  public static class Cursor {
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
    private int nextRead;

    /** Lets threads start at different positions. */
    @Setup
    public void start(ThreadParams thread) {
      nextRead = thread.getThreadIndex() * READS % InputFile.POSITIONS;
    }

    /** The thread's input, opened with a hint by the first call. */
    IndexInput input(InputFile file, DataAccessHint hint) throws IOException {
      if (input == null) {
        input = file.open(hint);
      }
      return input;
    }

    IndexInput random(InputFile file) throws IOException {
      return input(file, DataAccessHint.RANDOM);
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

  /** What one read takes from a file. A JVM measures one of them, so the compiler inlines it. */
  public enum Operand {
    BYTE(Byte.BYTES, Block::randomBytes, (in, _) -> in.readByte()),
    /** An integer in variable length. */
    VINT(Block.MAX_VINT_BYTES, Block::vInts, (in, _) -> in.readVInt()),
    LONG(Long.BYTES, Block::randomBytes, (in, _) -> in.readLong()),
    /** Arrays of 128, as many as in a block of Lucene's postings. */
    LONGS(Cursor.VALUES * Long.BYTES, Block::randomBytes, (in, cursor) -> cursor.readLongs(in)),
    INTS(Cursor.VALUES * Integer.BYTES, Block::randomBytes, (in, cursor) -> cursor.readInts(in)),
    FLOATS(Cursor.VALUES * Float.BYTES, Block::randomBytes, (in, cursor) -> cursor.readFloats(in)),
    /** 128 integers in groups of four. */
    GROUP_VINTS(
        Block.MAX_GROUPS_BYTES, Block::groupVInts, (in, cursor) -> cursor.readGroupVInt(in)),
    BYTES_16(1 << 4),
    BYTES_256(1 << 8),
    BYTES_4K(1 << 12),
    BYTES_64K(1 << 16);

    /** The most bytes that one read takes, at most {@link InputFile#MAX_READ_BYTES}. */
    final int maxBytes;

    final Supplier<byte[]> block;

    final Read read;

    Operand(int maxBytes, Supplier<byte[]> block, Read read) {
      this.maxBytes = maxBytes;
      this.block = block;
      this.read = read;
    }

    Operand(int bytes) {
      this(bytes, Block::randomBytes, (in, cursor) -> cursor.readBytes(in, bytes));
    }

    interface Read {
      /** Returns what it read, or some of it. */
      long from(IndexInput in, Cursor cursor) throws IOException;
    }
  }
}
