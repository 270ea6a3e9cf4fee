// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
    try (InputStream in = Files.newInputStream(path)) {
      long length = Files.size(path);
      int values = row(Arrays.copyOf(in.readNBytes(Integer.BYTES), Integer.BYTES)).getInt();
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
      for (long number = 1; number <= Math.min(most, rows); number++) {
        ByteBuffer row = row(in.readNBytes(Integer.BYTES * (1 + values)));
        int found = row.getInt();
        if (found != values) {
          throw new UsageException(
              Numbers.text("%s: %,d values in row %,d, not %d", path, found, number, values));
        }
        try {
          consumer.accept(row);
        } catch (IllegalArgumentException e) {
          throw UsageException.because(Numbers.text("%s: row %,d", path, number), e);
        }
      }
    }
  }

  private static ByteBuffer row(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
