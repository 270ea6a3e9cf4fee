package io.github.lucenedirectories.testkit.durability;

import java.util.Random;

/** Troubles of every kind but a power cut, at one in so many operations. */
public final class RandomTroubles implements Troubles {

  private static final Trouble[] KINDS = {
    Trouble.ERROR, Trouble.SHORT_WRITE, Trouble.LOST_PAGES, Trouble.DONE
  };

  private final Random random;
  private final int oneIn;

  /** Troubles that follow from a seed. */
  public RandomTroubles(long seed, int oneIn) {
    this.random = new Random(seed);
    this.oneIn = oneIn;
  }

  @Override
  public Trouble at(DiskOperation operation, String name, int bytes) {
    return random.nextInt(oneIn) == 0 ? KINDS[random.nextInt(KINDS.length)] : Trouble.NONE;
  }
}
