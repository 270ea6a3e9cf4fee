// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import java.util.Random;

/**
 * Makes unit vectors that lie as embeddings do: near the centres of {@value #CLUSTERS} clusters in
 * a space of {@value #LATENT} dimensions, projected to many. For one thread.
 */
public final class ClusteredVectors {
  private static final int CLUSTERS = 1000;
  private static final int LATENT = 24;

  private final Random random;
  private final float[][] centres = new float[CLUSTERS][];
  private final float[][] directions = new float[LATENT][];

  public ClusteredVectors(int dimensions, long seed) {
    random = new Random(seed);
    for (int i = 0; i < CLUSTERS; i++) {
      centres[i] = moved(new float[LATENT], random, 1);
    }
    for (int i = 0; i < LATENT; i++) {
      directions[i] = moved(new float[dimensions], random, 1);
    }
  }

  public float[] next() {
    float[] latent = moved(centres[random.nextInt(CLUSTERS)], random, 0.5);
    float[] vector = new float[directions[0].length];
    for (int i = 0; i < LATENT; i++) {
      for (int j = 0; j < vector.length; j++) {
        vector[j] += latent[i] * directions[i][j];
      }
    }
    float[] near = near(vector, random, 0.1);
    double length = length(near);
    for (int j = 0; j < near.length; j++) {
      near[j] = (float) (near[j] / length);
    }
    return near;
  }

  /** A vector moved in a random direction, by about a share of its length. */
  public static float[] near(float[] vector, Random random, double share) {
    return moved(vector, random, share * length(vector) / Math.sqrt(vector.length));
  }

  /** In a fixed order: the same seed gives the same bits, which Lucene's vector sums do not. */
  private static double length(float[] vector) {
    double sum = 0;
    for (float value : vector) {
      sum += (double) value * value;
    }
    return Math.sqrt(sum);
  }

  private static float[] moved(float[] vector, Random random, double distance) {
    float[] moved = vector.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] += (float) (distance * random.nextGaussian());
    }
    return moved;
  }
}
