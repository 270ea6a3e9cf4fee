// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import static java.util.stream.Collectors.toSet;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Vectors around centers, each drawn anew from its number. For any thread. */
final class ClusteredVectors {

  static final int DIMENSIONS = 768;
  private static final int CLUSTERS = 200;

  private final long seed;
  private final int[][] centers;

  ClusteredVectors(long seed) {
    this.seed = seed;
    centers =
        IntStream.rangeClosed(1, CLUSTERS)
            .mapToObj(i -> draw(-i, new int[DIMENSIONS]))
            .toArray(int[][]::new);
  }

  /** Like real ones, they differ less in each dimension than in the one before. */
  private int[] draw(long number, int[] center) {
    SplittableRandom random = new SplittableRandom(seed << 32 ^ number);
    int[] vector = new int[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] = center[i] + (int) (1_000 / Math.sqrt(1 + i / 8.0) * random.nextGaussian());
    }
    return vector;
  }

  /** Whole numbers, which are short as text. */
  int[] get(int number) {
    return draw(number, centers[new SplittableRandom(number).nextInt(CLUSTERS)]);
  }

  String text(int number) {
    return Arrays.toString(get(number));
  }

  /** The {@code k} of the vectors before {@code end} that are nearest to {@code query}. */
  Set<Integer> nearest(int query, int end, int k) {
    int[] vector = get(query);
    double[] distances =
        IntStream.range(0, end).parallel().mapToDouble(i -> distance(vector, get(i))).toArray();
    Comparator<Integer> nearest = Comparator.comparingDouble(i -> distances[i]);
    return IntStream.range(0, end).boxed().sorted(nearest).limit(k).collect(toSet());
  }

  private static double distance(int[] a, int[] b) {
    double sum = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
      sum += (double) (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
  }
}
