// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import java.util.SplittableRandom;
import org.apache.lucene.util.VectorUtil;

/**
 * Makes unit vectors of {@value #DIMENSIONS} dimensions from text without a model: each word of at
 * least {@value #MIN_WORD} letters stands for a random direction seeded by its hash, and a text for
 * the sum of its words. Texts that share words lie near each other, which is all that a graph
 * search needs to behave as it does on real vectors.
 */
public final class TextVectors {
  public static final int DIMENSIONS = 64;
  private static final int MIN_WORD = 4;

  /* A copied document would otherwise have its twin's vector, and equal vectors make bad graphs. */
  private static final double JITTER = 0.05;

  private TextVectors() {}

  public static float[] ofQuery(String text) {
    return VectorUtil.l2normalize(sum(text));
  }

  /** The vector of a document; {@code number} shifts it a little. */
  public static float[] ofDocument(String text, int number) {
    float[] vector = VectorUtil.l2normalize(sum(text));
    add(vector, number * 0x9E3779B97F4A7C15L, JITTER);
    return VectorUtil.l2normalize(vector);
  }

  private static float[] sum(String text) {
    float[] vector = new float[DIMENSIONS];
    // Never the zero vector, which has no direction.
    add(vector, 1, 0.01);
    for (String word : Fields.words(text)) {
      if (word.length() >= MIN_WORD) {
        add(vector, word.hashCode(), 1);
      }
    }
    return vector;
  }

  private static void add(float[] vector, long seed, double weight) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < vector.length; i++) {
      vector[i] += (float) (weight * (random.nextDouble() * 2 - 1));
    }
  }
}
