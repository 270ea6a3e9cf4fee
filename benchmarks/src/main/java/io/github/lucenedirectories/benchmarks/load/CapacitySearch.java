// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.OptionalInt;

/**
 * Finds the highest rate that is held: the rate doubles until one is not held, or halves until one
 * is, and then the span between the two is halved until they are neighbours. A rate is refused only
 * after two tries, so that one disturbance from outside does not decide.
 *
 * <p>The rates are those of a grid: {@value #STEPS} in each doubling, from 1 a second up. Every
 * search meets the same rates, so that what was measured at one of them can be compared.
 */
public final class CapacitySearch {
  /** Rates in each doubling; neighbours lie 4.4 % apart. */
  public static final int STEPS = 16;

  static final int LAST = 17 * STEPS;

  private static final MathContext DIGITS = new MathContext(3);
  private static final int TRIES = 2;

  private final Trial trial;
  private final int finest;

  public interface Trial {
    /** Whether the rate was held at a place in the grid. */
    boolean holds(int place) throws IOException;
  }

  /** Searches until so many places lie between the two rates. */
  public CapacitySearch(Trial trial, int finest) {
    this.trial = trial;
    this.finest = finest;
  }

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

  /** Searches from a place on; empty if not even the lowest rate was held. */
  public OptionalInt run(int start) throws IOException {
    int held = -1;
    int refused = LAST + 1;
    int place = start;
    while (held < 0 ? refused > 0 : held < LAST && refused - held > finest) {
      if (holds(place)) {
        held = place;
      } else {
        refused = place;
      }
      place =
          refused > LAST
              ? Math.min(LAST, held + STEPS)
              : held < 0 ? Math.max(0, refused - STEPS) : (held + refused) / 2;
    }
    return held < 0 ? OptionalInt.empty() : OptionalInt.of(held);
  }

  private boolean holds(int place) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      if (trial.holds(place)) {
        return true;
      }
    }
    return false;
  }
}
