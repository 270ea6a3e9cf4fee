package io.github.lucenedirectories.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineChartTest {
  private static final List<Tick> TICKS = List.of(new Tick(0, "p50"), new Tick(3, "p<99"));

  @Test
  void pointsLieWhereTheirValuesAre() {
    LineChart chart = new LineChart("ms", false, TICKS);
    chart.add("own", List.of(new Point(0, 100, null), new Point(3, 200, new Interval(150, 200))));
    String svg = chart.svg("title");
    // The axis is 176 high, from 0 at 198 to 5 % above 200 at 22.
    assertTrue(svg.contains("<polyline points='64.0,114.2 336.0,30.4'/>"), svg);
    assertTrue(svg.contains("<line class='bar' x1='336.0' x2='336.0' y1='72.3' y2='30.4'/>"), svg);
    assertTrue(svg.contains(">p50<") && svg.contains(">p&lt;99<") && svg.contains(">ms<"));
    assertTrue(svg.contains(">200<") && svg.contains(">0<"), svg);
  }

  @Test
  void axesHaveRoundTicksWithinTheirRange() {
    ValueAxis linear =
        ValueAxis.of(false, List.of(new Point(0, 1234, new Interval(1000, 1300))), 100, 0);
    assertEquals(List.of(0.0, 500.0, 1000.0), linear.ticks());
    assertEquals(100, linear.position(0));
    assertEquals(0, linear.position(linear.high()));
    ValueAxis logarithmic =
        ValueAxis.of(true, List.of(new Point(0, 0.5, null), new Point(1, 40, null)), 100, 0);
    assertEquals(List.of(0.5, 1.0, 2.0, 5.0, 10.0, 20.0), logarithmic.ticks());
    assertEquals(
        logarithmic.position(1) - logarithmic.position(10),
        logarithmic.position(2) - logarithmic.position(20),
        1e-9);
    ValueAxis equal = ValueAxis.of(true, List.of(new Point(0, 3, null)), 100, 0);
    assertTrue(equal.low() < 2 && equal.high() > 5, equal.toString());
    ValueAxis none = ValueAxis.of(false, List.of(new Point(0, 0, null)), 100, 0);
    assertEquals(100, none.position(0));
  }

  /** The interval of two or three forks can span twenty powers of ten. */
  @Test
  void aWideIntervalDoesNotPressTheValues() {
    Interval wide = new Interval(1e-8, 1e9);
    ValueAxis axis =
        ValueAxis.of(true, List.of(new Point(0, 2, wide), new Point(1, 4, null)), 100, 0);
    assertTrue(axis.position(2) - axis.position(4) > 10, axis.toString());
    assertTrue(axis.ticks().size() <= 6, axis.ticks().toString());
    assertEquals(axis.position(axis.low()), axis.position(wide.low()));
    assertEquals(axis.position(axis.high()), axis.position(wide.high()));
  }

  @Test
  void ticksHaveNoIdleDigits() {
    assertEquals("0.05", Numbers.tick(0.05));
    assertEquals("2", Numbers.tick(2.0));
    assertEquals("2,500", Numbers.tick(2500));
    assertEquals("0", Numbers.tick(0));
  }
}
