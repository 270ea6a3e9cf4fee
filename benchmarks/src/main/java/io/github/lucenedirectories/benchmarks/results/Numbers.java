// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How figures are written for people. */
public final class Numbers {
  private static final int LARGE = 100;

  /* Two decimals are too few below, and too many above. */
  private static final double SMALL = 0.1;
  private static final double TEN = 10;

  /** An interval that reaches further, as a share of its value, says nothing as a number. */
  private static final double MOST_SPREAD = 0.5;

  private Numbers() {}

  /** As {@link String#format}, with the digits and commas of every report. */
  @SuppressWarnings("AnnotateFormatMethod") // needs ErrorProne on the class path
  public static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A rate: whole from a hundred up, else three digits. */
  public static String rate(double value) {
    return value >= LARGE ? text("%,.0f", value) : digits(value, 3);
  }

  /** A ratio with two decimals, or with two digits where it is small. */
  public static String ratio(double value) {
    if (value < SMALL && value > 0) {
      return digits(value, 2);
    }
    return value < TEN ? text("%.2f", value) : rate(value);
  }

  private static String digits(double value, int digits) {
    if (value == 0 || Double.isInfinite(value) || Double.isNaN(value)) {
      return value == 0 ? "0" : "-";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits));
    BigDecimal plain = rounded.stripTrailingZeros();
    return plain.scale() > 0 ? plain.toPlainString() : text("%,d", plain.longValue());
  }

  /**
   * Half of an interval as a share of its value: {@code +-2%}; {@code noisy} where that would be
   * more than half of the value; empty without interval.
   */
  public static String spread(double value, @Nullable Interval interval) {
    if (interval == null) {
      return "";
    }
    double share = interval.halfWidth() / value;
    return share > MOST_SPREAD ? "noisy" : text("+-%.0f%%", share * 100);
  }

  /**
   * Both ends of an interval of ratios: {@code 1.02 to 1.06}; one number where they are equal, and
   * words where they lie far apart.
   */
  public static String range(Interval interval) {
    if (interval.isVague()) {
      return "too noisy to tell";
    }
    String low = ratio(interval.low());
    String high = ratio(interval.high());
    return low.equals(high) ? low : low + " to " + high;
  }

  /** Bytes in the largest binary unit that leaves at least one of it. */
  public static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return text(unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }
}
