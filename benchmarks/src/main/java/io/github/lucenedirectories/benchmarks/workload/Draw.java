// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which query comes next. Ranks, and the queries that are repeated, depend on the seed alone, so
 * that a warm-up and what is measured share them; the order also depends on the part of the run.
 * For any thread.
 */
final class Draw<T> {
  /** Of the option that names a way. */
  static final String MEANING =
      "how queries are drawn from their list: uniform, zipf (exponent 1), or repeat, which"
          + " draws the same 100 over and over (default: ";

  private static final int REPEATED = 100;

  private final Way way;
  private final List<T> all;
  private final SplittableRandom random;

  /* Up to the query of each rank, the sum of all weights. */
  private final double[] sums;
  private int count;

  /** All once in random order and then again in another; by Zipf's law; or the first of them. */
  enum Way {
    UNIFORM,
    ZIPF,
    REPEAT
  }

  Draw(Way way, List<T> tasks, long seed, int part) {
    this.way = way;
    List<T> ranked = new ArrayList<>(tasks);
    Collections.shuffle(ranked, new SplittableRandom(seed));
    all = way == Way.REPEAT ? ranked.subList(0, Math.min(REPEATED, ranked.size())) : ranked;
    random = new SplittableRandom(seed * 31 + part);
    sums = new double[all.size()];
    Arrays.setAll(sums, rank -> 1.0 / (rank + 1));
    Arrays.parallelPrefix(sums, Double::sum);
  }

  /** The next query; null at the end, which is given the number of those that were drawn. */
  synchronized @Nullable T next(IntPredicate end) {
    if (end.test(count)) {
      return null;
    }
    int place = count++ % all.size();
    if (way == Way.ZIPF) {
      int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
      return all.get(Math.min(Math.abs(found + 1), sums.length - 1));
    }
    if (place == 0) {
      Collections.shuffle(all, random);
    }
    return all.get(place);
  }
}
