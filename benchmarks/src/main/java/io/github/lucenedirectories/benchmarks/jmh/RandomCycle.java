package io.github.lucenedirectories.benchmarks.jmh;

/**
 * A permutation of the slots 0 to 2<sup>bits</sup> - 1 that is one single cycle in an order without
 * a pattern. The successor of a slot is computed, not looked up, so a cycle takes no memory.
 */
final class RandomCycle {

  /*
   * A linear congruential generator modulo a power of two runs through all numbers in one cycle if
   * its increment is odd and its multiplier is 1 modulo 4 (Hull and Dobell, 1962), but its low bits
   * repeat after few steps. So slots are numbered by another permutation, which mixes high and low
   * bits: a cycle under other names is still one cycle.
   */
  private static final long MULTIPLIER = 6364136223846793005L;
  private static final long INCREMENT = 1442695040888963407L;
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long UNMIX = inverse(MIX);

  private final long mask;
  private final int shift;

  /**
   * A cycle through 2<sup>bits</sup> slots.
   *
   * @param bits from 2 to 62
   */
  RandomCycle(int bits) {
    if (bits < 2 || bits > 62) {
      throw new IllegalArgumentException("bits must be from 2 to 62: bits=" + bits);
    }
    mask = (1L << bits) - 1;
    // At least half of the bits: then shifting and adding twice gives the number back.
    shift = (bits + 1) / 2;
  }

  /** The slot that follows. */
  long next(long slot) {
    return mix(((unmix(slot) * MULTIPLIER) + INCREMENT) & mask);
  }

  private long mix(long number) {
    long folded = number ^ (number >>> shift);
    long product = (folded * MIX) & mask;
    return product ^ (product >>> shift);
  }

  private long unmix(long slot) {
    long product = slot ^ (slot >>> shift);
    long folded = (product * UNMIX) & mask;
    return folded ^ (folded >>> shift);
  }

  /** The number whose product with an odd one is 1 modulo 2<sup>64</sup>. */
  private static long inverse(long odd) {
    long inverse = odd;
    // Right in the lowest 3 bits; each step of Newton's doubles that.
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
