package io.github.lucenedirectories.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.results.Interval;
import org.junit.jupiter.api.Test;

class NumbersTest {

  @Test
  void ratiosHaveAtLeastTwoDigits() {
    assertEquals("1.37", Numbers.ratio(1.3678));
    assertEquals("0.10", Numbers.ratio(0.1));
    assertEquals("0.044", Numbers.ratio(0.0444));
    assertEquals("0.0032", Numbers.ratio(0.00321));
    assertEquals("0.00", Numbers.ratio(0));
  }

  @Test
  void theHalfIntervalEndsWithTheRatiosLastDigit() {
    assertEquals("0.98 +-.02", Numbers.ratio(0.98, new Interval(0.96, 1.0)));
    assertEquals("0.0032 +-.0004", Numbers.ratio(0.00321, new Interval(0.0028, 0.0036)));
    assertEquals("0.044 +->9.99", Numbers.ratio(0.0444, new Interval(0, 30)));
    assertEquals("0.044 ", Numbers.ratio(0.0444, null));
  }

  @Test
  void ticksAreShort() {
    assertEquals("0", Numbers.tick(0));
    assertEquals("0.0001", Numbers.tick(1e-4));
    assertEquals("100,000", Numbers.tick(1e5));
    assertEquals("1 M", Numbers.tick(1e6));
    assertEquals("2.5 M", Numbers.tick(2.5e6));
    assertEquals("10 M", Numbers.tick(1e7));
    assertEquals("5,000 M", Numbers.tick(5e9));
  }
}
