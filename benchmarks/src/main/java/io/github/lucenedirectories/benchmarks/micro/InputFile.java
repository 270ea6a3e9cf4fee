package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;

/** A file of one kind of value in the directory under test, and positions to read it at. */
public abstract class InputFile extends DirectoryState {
  /** The positions in {@link #positions}, a power of two. */
  static final int POSITIONS = 1 << 18;

  /** A read of so many bytes at any of the {@link #positions} stays inside the file. */
  static final int MAX_READ_BYTES = 1 << 16;

  /** The shortest file in which every benchmark finds room for one invocation. */
  static final int MIN_FILE_BYTES = 1 << 22;

  private static final String NAME = "_0.dat";

  /** The file's length; the default is beyond the second-level caches of processor and TLB. */
  @Param("64m")
  public String fileBytes = "";

  /** Where values start, in random order. */
  long[] positions = {};

  /** The length without the bytes that give room behind the last position. */
  long dataBytes;

  private @Nullable IndexInput input;

  @Override
  void prepare(Directory directory) throws IOException {
    long bytes = ByteCount.parse(fileBytes);
    if (bytes < MIN_FILE_BYTES) {
      throw new IllegalArgumentException("too short: fileBytes=" + fileBytes);
    }
    positions = new long[POSITIONS];
    try (IndexOutput out = directory.createOutput(NAME, IOContext.DEFAULT)) {
      write(out, bytes);
      dataBytes = out.getFilePointer();
      out.writeBytes(new byte[MAX_READ_BYTES], MAX_READ_BYTES);
    }
  }

  @Override
  void release() throws IOException {
    IOUtils.close(input);
  }

  /** Writes about that many bytes, and fills {@link #positions} if a benchmark needs them. */
  abstract void write(IndexOutput out, long bytes) throws IOException;

  /** A clone of the one input that all threads of a trial share; the first caller's hint counts. */
  final synchronized IndexInput open(DataAccessHint hint) throws IOException {
    IndexInput shared = input;
    if (shared == null) {
      shared = directory().openInput(NAME, IOContext.DEFAULT.withHints(FileTypeHint.DATA, hint));
      input = shared;
    }
    return shared.clone();
  }

  final void repeat(Block block, IndexOutput out, long bytes) throws IOException {
    int blockBytes = block.bytes().length;
    int blocks = Math.toIntExact(bytes / blockBytes);
    for (int i = 0; i < blocks; i++) {
      out.writeBytes(block.bytes(), blockBytes);
    }
    SplittableRandom random = new SplittableRandom(Block.SEED);
    for (int i = 0; i < POSITIONS; i++) {
      long blockStart = (long) random.nextInt(blocks) * blockBytes;
      positions[i] = blockStart + block.start(random.nextInt(block.count()));
    }
  }

  /** A file of random bytes, for values of fixed size. */
  public static class Bytes extends InputFile {
    @Override
    void write(IndexOutput out, long bytes) throws IOException {
      repeat(Block.randomBytes(), out, bytes);
    }
  }

  /** A file of integers in variable length. */
  public static class VInts extends InputFile {
    @Override
    void write(IndexOutput out, long bytes) throws IOException {
      repeat(Block.vInts(), out, bytes);
    }
  }

  /** A file of runs of {@value Block#GROUP_VALUES} integers in groups of four. */
  public static class GroupVInts extends InputFile {
    @Override
    void write(IndexOutput out, long bytes) throws IOException {
      repeat(Block.groupVInts(), out, bytes);
    }
  }

  /**
   * A file of 8-byte positions, each naming the next one, in one random cycle through all of them.
   */
  public static class Cycle extends InputFile {
    @Override
    void write(IndexOutput out, long bytes) throws IOException {
      int[] next = cycle(Math.toIntExact(bytes / Long.BYTES));
      for (int entry : next) {
        out.writeLong((long) entry * Long.BYTES);
      }
    }

    /** Sattolo's shuffle: a permutation that is a single cycle. */
    private static int[] cycle(int length) {
      int[] next = new int[length];
      for (int i = 0; i < length; i++) {
        next[i] = i;
      }
      SplittableRandom random = new SplittableRandom(Block.SEED);
      for (int i = length - 1; i > 0; i--) {
        int other = random.nextInt(i);
        int swapped = next[i];
        next[i] = next[other];
        next[other] = swapped;
      }
      return next;
    }
  }
}
