// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.util.VectorUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors in files, and made ones. */
class VectorFileTest {
  @TempDir private Path folder;

  private static List<float[]> floats(Path file, long most) throws IOException {
    List<float[]> all = new ArrayList<>();
    VectorFile.open(file)
        .read(
            most,
            row -> {
              float[] vector = new float[row.remaining() / Float.BYTES];
              row.asFloatBuffer().get(vector);
              all.add(VectorUtil.checkFinite(vector));
            });
    return all;
  }

  private Path file(Object... values) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (Object value : values) {
      if (value instanceof Float number) {
        bytes.putFloat(number);
      } else {
        bytes.putInt((Integer) value);
      }
    }
    return Files.write(folder.resolve("some.fvecs"), bytes.array());
  }

  @Test
  void readsRowsInOrderUpToANumber() throws IOException {
    Path file = file(2, 1.5f, -2f, 2, 0f, 3e38f, 2, 7f, 8f);
    assertEquals(3, VectorFile.open(file).rows());
    assertEquals(2, VectorFile.open(file).values());
    assertArrayEquals(
        new float[][] {{1.5f, -2}, {0, 3e38f}}, floats(file, 2).toArray(float[][]::new));
    assertArrayEquals(new float[] {7, 8}, floats(file, 100).get(2));
  }

  @Test
  void readsInts() throws IOException {
    Random random = new Random(3);
    for (int values : new int[] {1, 5, 16_384, 20_000}) {
      int[] written = random.ints(7L * (values + 1)).toArray();
      for (int i = 0; i < 7; i++) {
        written[i * (values + 1)] = values;
      }
      List<Integer> found = new ArrayList<>();
      VectorFile.open(file(Arrays.stream(written).boxed().toArray()))
          .read(
              Long.MAX_VALUE,
              row -> {
                found.add(values);
                IntStream.generate(row::getInt).limit(values).forEach(found::add);
              });
      assertArrayEquals(written, found.stream().mapToInt(i -> i).toArray());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | not whole rows of vectors: 0 bytes, and 0 values in the first row",
        "0 1 | not whole rows of vectors: 8 bytes, and 0 values in the first row",
        "-3 1 | not whole rows of vectors: 8 bytes, and -3 values in the first row",
        "2 1 | not whole rows of vectors: 8 bytes, and 2 values in the first row",
        "2 1 1 2 1 | not whole rows of vectors: 20 bytes, and 2 values in the first row",
        "2147483647 1 | not whole rows of vectors: 8 bytes, and 2,147,483,647 values in the first"
            + " row",
        "2 1 1 1 1 2 | 1 values in row 2, not 2",
        "2 1 1 2 1 2139095040 | row 2: non-finite value at vector[1]=Infinity",
        "2 1 2143289344 | row 1: non-finite value at vector[1]=NaN"
      })
  void damagedFilesAreRefused(String words, String message) throws IOException {
    Path file =
        file(
            Arrays.stream(words.split(" "))
                .filter(word -> !word.isEmpty())
                .map(Integer::valueOf)
                .toArray());
    UsageException refusal = assertThrows(UsageException.class, () -> floats(file, 100));
    assertEquals(file + ": " + message, refusal.getMessage());
  }

  @Test
  void generatedVectorsAreUnitVectorsInClusters() {
    List<float[]> vectors = made(42);
    int near = 0;
    for (int i = 0; i < 3000; i++) {
      float[] vector = vectors.get(i);
      assertEquals(1, VectorUtil.dotProduct(vector, vector), 1e-5);
      near += VectorUtil.dotProduct(vector, vectors.get(0)) > 0.6 ? 1 : 0;
    }
    // Of one cluster in a thousand, and some by chance.
    assertTrue(near >= 1 && near < 300, near + " of 3000");
    assertArrayEquals(vectors.get(2999), made(42).get(2999));
    assertFalse(Arrays.equals(vectors.get(2999), made(43).get(2999)));
  }

  private static List<float[]> made(long seed) {
    ClusteredVectors vectors = new ClusteredVectors(100, seed);
    return Stream.generate(vectors::next).limit(3000).toList();
  }
}
