package io.github.lucenedirectories.benchmarks.cache;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Which blocks of which files were read, in their order. A read of several blocks is as many
 * accesses; all but the first know that they go on, since a cache of longer blocks is asked once
 * for several of them.
 *
 * <p>Its file is gzip over big-endian numbers: an int that marks it, the length of a block, how
 * many files there are, how many accesses, and each access as a long: from the highest bit on 24
 * bits of the file's number, one that says whether it goes on, and 39 of the block's number.
 */
final class AccessTrace {

  /** Length of a recorded block; longer ones are made of it. */
  static final int BLOCK_BYTES = 1 << 12;

  private static final int MARK = 0x4C44_4355;
  private static final int FILE_SHIFT = 40;
  private static final long GOES_ON = 1L << 39;

  private long[] accesses = new long[1 << 16];
  private int size;
  private int files;

  /** A number for a file that is opened now. */
  synchronized int newFile() {
    return files++;
  }

  /** Adds a read of blocks that follow each other, as one piece. */
  synchronized void add(int file, long firstBlock, long lastBlock) {
    for (long block = firstBlock; block <= lastBlock; block++) {
      add(((long) file << FILE_SHIFT) | block | (block == firstBlock ? 0 : GOES_ON));
    }
  }

  private void add(long access) {
    if (size == accesses.length) {
      accesses = Arrays.copyOf(accesses, size * 2);
    }
    accesses[size++] = access;
  }

  int size() {
    return size;
  }

  int files() {
    return files;
  }

  int file(int access) {
    return (int) (accesses[access] >>> FILE_SHIFT);
  }

  /** The block, in recorded blocks. */
  long block(int access) {
    return accesses[access] & (GOES_ON - 1);
  }

  /** Whether it belongs to the same read as the access before it. */
  boolean goesOn(int access) {
    return (accesses[access] & GOES_ON) != 0;
  }

  /** How many different blocks of a length were read. */
  int distinctBlocks(int shift) {
    return (int)
        IntStream.range(0, size)
            .mapToLong(i -> ((long) file(i) << FILE_SHIFT) | (block(i) >>> shift))
            .distinct()
            .count();
  }

  void write(Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(file)), 1 << 16))) {
      out.writeInt(MARK);
      out.writeInt(BLOCK_BYTES);
      out.writeInt(files);
      out.writeInt(size);
      for (int i = 0; i < size; i++) {
        out.writeLong(accesses[i]);
      }
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws UsageException if it is something else
   */
  static AccessTrace read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file)), 1 << 16))) {
      if (in.readInt() != MARK || in.readInt() != BLOCK_BYTES) {
        throw new UsageException("not a trace of accesses, or one of an earlier version: " + file);
      }
      AccessTrace trace = new AccessTrace();
      trace.files = in.readInt();
      int size = in.readInt();
      for (int i = 0; i < size; i++) {
        trace.add(in.readLong());
      }
      return trace;
    } catch (IOException e) {
      throw new UsageException("cannot read the trace " + file + ": " + e, e);
    }
  }
}
