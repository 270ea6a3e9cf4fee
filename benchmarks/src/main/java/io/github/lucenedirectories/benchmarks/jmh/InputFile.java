package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import java.io.IOException;
import java.util.Objects;
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

/** A file of random bytes in the directory under test, and positions to read it at. */
public class InputFile extends DirectoryState {
  /** The positions in {@link #positions}, a power of two. */
  static final int POSITIONS = 1 << 18;

  /** A read of so many bytes at any of the {@link #positions} stays inside the file. */
  static final int MAX_READ_BYTES = 1 << 16;

  /** The shortest file in which every benchmark finds room for {@link Cursor#STRETCH} reads. */
  static final int MIN_FILE_BYTES = 1 << 22;

  private static final String NAME = "_0.dat";

  /** The file's length; the default is beyond the second-level caches of processor and TLB. */
  @Param("64m")
  public String fileBytes = "";

  /** Where values start, in random order. */
  final long[] positions = new long[POSITIONS];

  /** The length without the bytes that give room behind the last position. */
  long dataBytes;

  private @Nullable IndexInput input;

  /** What the file repeats. */
  Block contents() {
    return Block.randomBytes();
  }

  @Override
  void prepare(Directory opened) throws IOException {
    Block block = contents();
    int blockBytes = block.bytes().length;
    int blocks = Math.toIntExact(ByteCount.parse(fileBytes) / blockBytes);
    if (ByteCount.parse(fileBytes) < MIN_FILE_BYTES) {
      throw new IllegalArgumentException("fileBytes must be at least 4m: " + fileBytes);
    }
    try (IndexOutput out = opened.createOutput(NAME, IOContext.DEFAULT)) {
      for (int i = 0; i < blocks; i++) {
        out.writeBytes(block.bytes(), blockBytes);
      }
      dataBytes = out.getFilePointer();
      out.writeBytes(new byte[MAX_READ_BYTES], MAX_READ_BYTES);
    }
    SplittableRandom random = new SplittableRandom(Block.SEED);
    for (int i = 0; i < POSITIONS; i++) {
      long blockStart = (long) random.nextInt(blocks) * blockBytes;
      positions[i] = blockStart + block.start(random.nextInt(block.count()));
    }
  }

  @Override
  void release() throws IOException {
    IOUtils.close(input);
  }

  /** A clone of the one input that all threads of a trial share; the first caller's hint counts. */
  final synchronized IndexInput open(DataAccessHint hint) throws IOException {
    if (input == null) {
      input = directory().openInput(NAME, IOContext.DEFAULT.withHints(FileTypeHint.DATA, hint));
    }
    return Objects.requireNonNull(input).clone();
  }

  /** A file of one kind of value. */
  public static class OfValues extends InputFile {
    @Param public Value value = Value.BYTE;

    @Override
    Block contents() {
      return value.contents.get();
    }
  }
}
