package io.github.lucenedirectories.benchmarks.load;

import java.io.IOException;
import java.util.OptionalInt;

/**
 * Finds the highest rate that a server holds: the rate doubles until one is not held, or halves
 * until one is, and then the span between the two is halved until they are neighbours. A rate is
 * refused only after two tries, so that one disturbance from outside does not decide.
 */
public final class CapacitySearch {
  private static final int TRIES = 2;

  private final Trial trial;
  private final int finest;

  /** One step at one rate. */
  public interface Trial {
    /**
     * Whether the server held a rate.
     *
     * @param place in the {@link RateGrid}
     */
    boolean holds(int place) throws IOException;
  }

  /**
   * @param finest the places between two rates that count as neighbours
   */
  public CapacitySearch(Trial trial, int finest) {
    this.trial = trial;
    this.finest = finest;
  }

  /**
   * Searches.
   *
   * @param start the place of the first rate
   * @return the place of the highest rate that was held; empty if even the lowest was not
   */
  public OptionalInt run(int start) throws IOException {
    int held = -1;
    int refused = RateGrid.LAST + 1;
    int place = start;
    while (held < 0 ? refused > 0 : held < RateGrid.LAST && refused - held > finest) {
      if (holds(place)) {
        held = place;
      } else {
        refused = place;
      }
      place = next(held, refused);
    }
    return held < 0 ? OptionalInt.empty() : OptionalInt.of(held);
  }

  private static int next(int held, int refused) {
    if (refused > RateGrid.LAST) {
      return Math.min(RateGrid.LAST, held + RateGrid.STEPS);
    }
    if (held < 0) {
      return Math.max(0, refused - RateGrid.STEPS);
    }
    return (held + refused) / 2;
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
