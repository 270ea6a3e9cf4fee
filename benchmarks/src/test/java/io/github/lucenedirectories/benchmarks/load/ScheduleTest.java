package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Poisson arrivals: their rate, their spread, and that a seed repeats them. */
class ScheduleTest {
  private static final double SECONDS = 100;
  private static final double RATE = 1000;
  private static final int QUERIES = 7;

  private final Schedule schedule = Schedule.poisson(RATE, SECONDS, QUERIES, 3);

  @Test
  void sameSeedSameMoments() {
    Schedule again = Schedule.poisson(RATE, SECONDS, QUERIES, 3);
    assertEquals(schedule.size(), again.size());
    for (int i = 0; i < schedule.size(); i++) {
      assertEquals(schedule.dueNanos(i), again.dueNanos(i));
      assertEquals(schedule.query(i), again.query(i));
    }
    assertTrue(schedule.dueNanos(0) != Schedule.poisson(RATE, SECONDS, QUERIES, 4).dueNanos(0));
  }

  @Test
  void meanRateAndSpreadAreThoseOfAPoissonProcess() {
    double expected = RATE * SECONDS;
    // Five standard deviations.
    assertEquals(expected, schedule.size(), 5 * Math.sqrt(expected));
    int[] perSlot = new int[(int) (SECONDS * 10)];
    for (int i = 0; i < schedule.size(); i++) {
      assertTrue(i == 0 || schedule.dueNanos(i) >= schedule.dueNanos(i - 1));
      perSlot[(int) (schedule.dueNanos(i) / 100_000_000)]++;
    }
    double mean = schedule.size() / (double) perSlot.length;
    double variance = 0;
    for (int count : perSlot) {
      variance += (count - mean) * (count - mean) / perSlot.length;
    }
    // Of a Poisson process they are equal; of even gaps the variance is nothing.
    assertEquals(1, variance / mean, 0.25);
  }

  @Test
  void everyQueryIsAskedAsOften() {
    int[] counts = new int[QUERIES];
    for (int i = 0; i < schedule.size(); i++) {
      counts[schedule.query(i)]++;
    }
    double each = schedule.size() / (double) QUERIES;
    for (int count : counts) {
      assertEquals(each, count, 5 * Math.sqrt(each));
    }
  }
}
