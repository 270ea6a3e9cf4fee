package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How figures are written for people. */
public final class Numbers {
  private static final int LARGE = 100;
  private static final double MILLION = 1e6;

  /* Beyond it an interval says nothing, and its width only breaks the table. */
  private static final double MOST = 9.99;

  private static final int RATIO_DECIMALS = 2;
  private static final int MOST_DECIMALS = 6;

  /* Below it two decimals are too few to tell ratios apart. */
  private static final double SMALL = 0.1;

  private Numbers() {}

  /** A rate: whole from a hundred up, else three digits. */
  public static String rate(double value) {
    return value >= LARGE
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }

  /** A round value on an axis, without digits that say nothing, and short: {@code 10 M}. */
  static String tick(double value) {
    if (value >= MILLION) {
      return tick(value / MILLION) + " M";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(2)).stripTrailingZeros();
    return rounded.scale() > 0
        ? rounded.toPlainString()
        : String.format(Locale.ROOT, "%,d", rounded.longValue());
  }

  /** A ratio with two decimals, or with two digits where it is small. */
  public static String ratio(double value) {
    return fixed(value, decimals(value));
  }

  /** A ratio and half its interval, such as {@code 0.98 +-.02}, to the same decimal. */
  public static String ratio(double value, @Nullable Interval interval) {
    int decimals = decimals(value);
    if (decimals == RATIO_DECIMALS || interval == null || interval.halfWidth() > MOST) {
      return ratio(value) + " " + plusMinus(interval);
    }
    return fixed(value, decimals) + " +-" + fixed(interval.halfWidth(), decimals).substring(1);
  }

  private static int decimals(double ratio) {
    return ratio < SMALL && ratio > 0
        ? Math.min(MOST_DECIMALS, 1 - (int) Math.floor(Math.log10(ratio)))
        : RATIO_DECIMALS;
  }

  private static String fixed(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** A ratio with three decimals, for means. */
  public static String fineRatio(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /** A share with one decimal, such as {@code 1.4 %}. */
  public static String percent(double share) {
    return share > MOST ? ">999 %" : String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** Half of an interval as a share of the value, such as {@code +-2%}; empty without interval. */
  public static String plusMinusPercent(double value, @Nullable Interval interval) {
    if (interval == null) {
      return "";
    }
    double share = interval.halfWidth() / value;
    return share > MOST ? "+->999%" : String.format(Locale.ROOT, "+-%.0f%%", share * 100);
  }

  /** Half of an interval of ratios, such as {@code +-.02}; empty without interval. */
  public static String plusMinus(@Nullable Interval interval) {
    if (interval == null) {
      return "";
    }
    if (interval.halfWidth() > MOST) {
      return "+->9.99";
    }
    String width = String.format(Locale.ROOT, "+-%.2f", interval.halfWidth());
    return width.replace("+-0.", "+-.");
  }

  /** Both ends of an interval of ratios; empty without interval. */
  public static String range(@Nullable Interval interval) {
    return interval == null ? "" : ratio(interval.low()) + " to " + ratio(interval.high());
  }

  /** As {@link #range}, with three decimals. */
  public static String fineRange(@Nullable Interval interval) {
    return interval == null ? "" : fineRatio(interval.low()) + " to " + fineRatio(interval.high());
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
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }
}
