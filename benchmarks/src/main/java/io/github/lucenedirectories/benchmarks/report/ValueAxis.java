package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.ArrayList;
import java.util.List;

/**
 * The vertical axis of a chart.
 *
 * @param low the value at the bottom
 * @param high the value at the top
 * @param bottom the place of {@code low}, down from the upper edge
 * @param top the place of {@code high}
 */
record ValueAxis(boolean logarithmic, double low, double high, int bottom, int top) {
  private static final int TICKS = 5;
  private static final double[] STEPS = {1, 2, 5};

  /* A logarithmic axis never spans less, or noise would look like news. */
  private static final double LEAST_SPAN = 4;

  /* Of an interval that reaches further from its value only so much is drawn: that of a few forks
  can span twenty powers of ten, and would press all values into one line. */
  private static final double MOST_REACH = 5;

  /** The axis that has room for points and their intervals. */
  static ValueAxis of(boolean logarithmic, List<LineChart.Point> points, int bottom, int top) {
    double low = Double.MAX_VALUE;
    double high = 0;
    for (LineChart.Point point : points) {
      double y = point.y();
      Interval interval = point.interval() == null ? new Interval(y, y) : point.interval();
      low = Math.min(low, Math.max(interval.low(), y / MOST_REACH));
      high =
          Math.max(high, logarithmic ? Math.min(interval.high(), y * MOST_REACH) : interval.high());
    }
    if (!logarithmic) {
      return new ValueAxis(false, 0, high > 0 ? high * 1.05 : 1, bottom, top);
    }
    double middle = Math.sqrt(low * high);
    return new ValueAxis(
        true,
        Math.min(low / 1.1, middle / Math.sqrt(LEAST_SPAN)),
        Math.max(high * 1.1, middle * Math.sqrt(LEAST_SPAN)),
        bottom,
        top);
  }

  /** Where a value comes to lie; at the edge if it is beyond. */
  double position(double value) {
    double inside = Math.clamp(value, low, high);
    double share =
        logarithmic ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
    return bottom - share * (bottom - top);
  }

  /** Round values along it. */
  List<Double> ticks() {
    return logarithmic ? powers() : steps();
  }

  private List<Double> powers() {
    List<Double> ticks = new ArrayList<>();
    // Over more than three powers of ten only these themselves.
    boolean wide = high / low > 1000;
    for (double power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10) {
      for (double step : STEPS) {
        double tick = power * step;
        if (tick >= low && tick <= high && (step == 1 || !wide)) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }

  private List<Double> steps() {
    double power = Math.pow(10, Math.floor(Math.log10(high / TICKS)));
    double step = power * 10;
    for (double factor : STEPS) {
      if (high / (power * factor) <= TICKS + 1) {
        step = power * factor;
        break;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= high; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }
}
