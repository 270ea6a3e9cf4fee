package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.util.IOConsumer;

/**
 * A file of vectors, known as fvecs or ivecs: each row has the number of its values and these,
 * floats or ints, all of four bytes and little-endian.
 */
public record VectorFile(Path path, int values, long rows) {

  /** Refuses a file that has no rows, or not whole ones of one length. */
  public static VectorFile open(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new UsageException("no such file: " + path);
    }
    long length = Files.size(path);
    try (InputStream in = Files.newInputStream(path)) {
      byte[] first = in.readNBytes(Integer.BYTES);
      int values = first.length < Integer.BYTES ? 0 : buffer(first).getInt();
      long rowBytes = Integer.BYTES * (1L + values);
      if (values < 1 || length % rowBytes != 0) {
        throw new UsageException(
            Numbers.text(
                "%s: not whole rows of vectors: %,d bytes, and %,d values in the first row",
                path, length, values));
      }
      return new VectorFile(path, values, length / rowBytes);
    }
  }

  /** Reads the first rows, at most so many; refuses one of another length or with wrong values. */
  public void read(long most, IOConsumer<ByteBuffer> consumer) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      for (long row = 1; row <= Math.min(most, rows); row++) {
        ByteBuffer bytes = buffer(in.readNBytes(Integer.BYTES * (1 + values)));
        int found = bytes.getInt();
        if (found != values) {
          throw new UsageException(
              Numbers.text("%s: %,d values in row %,d, not %d", path, found, row, values));
        }
        try {
          consumer.accept(bytes);
        } catch (IllegalArgumentException e) {
          throw UsageException.because(Numbers.text("%s: row %,d", path, row), e);
        }
      }
    }
  }

  /** Writes rows, given by the bits of their values. */
  public static void write(Path path, List<int[]> rows) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
      for (int[] row : rows) {
        byte[] bytes = new byte[Integer.BYTES * (1 + row.length)];
        buffer(bytes).putInt(row.length).asIntBuffer().put(row);
        out.write(bytes);
      }
    }
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
