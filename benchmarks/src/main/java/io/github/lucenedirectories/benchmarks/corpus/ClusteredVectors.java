package io.github.lucenedirectories.benchmarks.corpus;

import java.util.Random;
import org.apache.lucene.util.VectorUtil;

/**
 * Makes unit vectors that lie as embeddings do: near the centres of clusters in a space of {@value
 * #LATENT} dimensions, projected to many, with a little noise. Each depends on the seed and its
 * number alone. Any thread may ask.
 */
public final class ClusteredVectors {
  private static final int LATENT = 24;

  private final long seed;
  private final float[][] centres;
  private final float[][] directions;

  public ClusteredVectors(int dimensions, int clusters, long seed) {
    Random random = new Random(seed);
    this.seed = seed;
    centres = new float[clusters][LATENT];
    directions = new float[LATENT][dimensions];
    for (float[][] all : new float[][][] {centres, directions}) {
      for (float[] vector : all) {
        add(vector, random, 1);
      }
    }
  }

  public float[] get(long number) {
    Random random = new Random(seed + number * 0xD1342543DE82EF95L);
    float[] latent = centres[random.nextInt(centres.length)].clone();
    add(latent, random, 0.5);
    float[] vector = new float[directions[0].length];
    for (int i = 0; i < LATENT; i++) {
      for (int j = 0; j < vector.length; j++) {
        vector[j] += latent[i] * directions[i][j];
      }
    }
    return VectorUtil.l2normalize(near(vector, random, 0.1));
  }

  /** A vector moved in a random direction, by about a share of its length. */
  public static float[] near(float[] vector, Random random, double share) {
    float[] moved = vector.clone();
    double length = Math.sqrt(VectorUtil.dotProduct(vector, vector));
    add(moved, random, share * length / Math.sqrt(vector.length));
    return moved;
  }

  private static void add(float[] vector, Random random, double weight) {
    for (int i = 0; i < vector.length; i++) {
      vector[i] += (float) (weight * random.nextGaussian());
    }
  }
}
