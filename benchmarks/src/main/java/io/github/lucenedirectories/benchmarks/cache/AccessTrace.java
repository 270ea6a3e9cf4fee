package io.github.lucenedirectories.benchmarks.cache;

import io.github.lucenedirectories.benchmarks.UsageException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Which blocks of which files were read, in their order.
 *
 * <p>Its file is gzip over big-endian numbers: an int that marks it, the length of a block, how
 * many files there are, how many accesses, and each access as a long.
 */
final class AccessTrace {

  /** Length of a recorded block; longer ones are made of it. */
  static final int BLOCK_BYTES = 1 << 12;

  private static final int MARK = 0x4C44_4354;
  private static final int BLOCK_BITS = 40;

  private long[] accesses = new long[1 << 16];
  private int size;
  private int files;

  /** A number for a file that is opened now. */
  synchronized int newFile() {
    return files++;
  }

  /** Adds an access. */
  synchronized void add(int file, long block) {
    if (size == accesses.length) {
      accesses = Arrays.copyOf(accesses, size * 2);
    }
    accesses[size++] = ((long) file << BLOCK_BITS) | block;
  }

  int size() {
    return size;
  }

  int files() {
    return files;
  }

  int file(int access) {
    return (int) (accesses[access] >>> BLOCK_BITS);
  }

  /** The block, in recorded blocks. */
  long block(int access) {
    return accesses[access] & ((1L << BLOCK_BITS) - 1);
  }

  /** How many different blocks of a length were read. */
  int distinctBlocks(int shift) {
    return (int)
        Arrays.stream(accesses, 0, size)
            .map(a -> (a >>> BLOCK_BITS << BLOCK_BITS) | ((a & ((1L << BLOCK_BITS) - 1)) >>> shift))
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
        throw new UsageException("not a trace of accesses: " + file);
      }
      AccessTrace trace = new AccessTrace();
      trace.files = in.readInt();
      int size = in.readInt();
      for (int i = 0; i < size; i++) {
        long access = in.readLong();
        trace.add((int) (access >>> BLOCK_BITS), access & ((1L << BLOCK_BITS) - 1));
      }
      return trace;
    } catch (IOException e) {
      throw new UsageException("cannot read the trace " + file + ": " + e, e);
    }
  }
}
