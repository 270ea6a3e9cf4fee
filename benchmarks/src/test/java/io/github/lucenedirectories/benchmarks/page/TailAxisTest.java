package io.github.lucenedirectories.benchmarks.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TailAxisTest {

  private static String histogram(int values) {
    Histogram histogram = new Histogram(3);
    for (int i = 1; i <= values; i++) {
      histogram.recordValue(i);
    }
    return EncodedHistogram.encode(histogram);
  }

  private static List<Point> points(int... values) {
    return TailAxis.points(
        Arrays.stream(values).mapToObj(TailAxisTest::histogram).toList(), 0.5, 1);
  }

  @Test
  void eachFurtherNineHasTheSameRoom() {
    List<Tick> labelled =
        TailAxis.ticks(List.of(points(20_000))).stream().filter(t -> !t.label().isEmpty()).toList();
    assertEquals(
        List.of("p50", "p90", "p99", "p99.9", "p99.99"),
        labelled.stream().map(Tick::label).toList());
    for (int i = 1; i < labelled.size(); i++) {
      assertEquals(i, labelled.get(i).x(), 1e-9);
    }
  }

  @Test
  void lineEndsWhereTheSmallestForkHasNoValueAbove() {
    List<Point> points = points(100, 5000);
    assertEquals(2, points.getLast().x(), 1e-9, "p99 is the last that 100 values tell");
    assertEquals(1, points(3).size(), "the median alone");
    assertEquals(List.of(), points(0));
  }

  @Test
  void pointIsTheMedianOfTheForksOwnPercentiles() {
    Point median = points(100, 200, 300).getFirst();
    assertEquals(0.5 * 100, median.y(), 0.1);
  }
}
