// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** How figures are written. */
class NumbersTest {
  @Test
  void figuresHaveTheDigitsThatSaySomething() {
    assertEquals("1,235", Numbers.rate(1234.5));
    assertEquals("12.3", Numbers.rate(12.345));
    assertEquals("0.00123", Numbers.rate(0.0012345));
    assertEquals("1.05", Numbers.ratio(1.049));
    assertEquals("0.012", Numbers.ratio(0.0123));
    assertEquals("12.3", Numbers.ratio(12.34));
    assertEquals("1.5 KiB", Numbers.bytes(1536));
    assertEquals("7 B", Numbers.bytes(7));
  }

  @Test
  void intervalsCanBeRead() {
    assertEquals("+-3%", Numbers.spread(100, new Interval(97, 103)));
    assertEquals("+-50%", Numbers.spread(100, new Interval(50, 150)));
    assertEquals("noisy", Numbers.spread(0.74, new Interval(0.1, 10.56)));
    assertEquals("", Numbers.spread(100, null));
    assertEquals("1.02 to 1.06", Numbers.range(new Interval(1.018, 1.061)));
    assertEquals("1.02", Numbers.range(new Interval(1.018, 1.0201)));
    assertEquals("0.30 to 2.90", Numbers.range(new Interval(0.3, 2.9)));
    assertEquals("too noisy to tell", Numbers.range(new Interval(0.3, 3.1)));
  }
}
