package io.github.lucenedirectories.benchmarks.load;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The rates that a search for the capacity tries: {@value #STEPS} in each doubling, from 1 a second
 * up. Every search meets the same rates, so that what was measured at one of them can be compared.
 */
public final class RateGrid {
  /** Rates in each doubling; neighbours lie 4.4 % apart. */
  public static final int STEPS = 16;

  /** The highest; an ordinary client sends no more. */
  static final int LAST = 17 * STEPS;

  private static final MathContext DIGITS = new MathContext(3);

  private RateGrid() {}

  /** The rate of a place, to three digits. */
  public static double rate(int place) {
    return new BigDecimal(Math.pow(2, (double) place / STEPS)).round(DIGITS).doubleValue();
  }

  /** The place of the highest rate that is not above a given one; 0 at least. */
  public static int place(double rate) {
    int place = Math.clamp(Math.round(STEPS * Math.log(rate) / Math.log(2)) + 1, 0, LAST);
    while (place > 0 && rate(place) > rate) {
      place--;
    }
    return place;
  }
}
