package io.github.lucenedirectories.benchmarks.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One chart, drawn by a page's script and by {@link SvgChart}: bars of ratios or lines.
 *
 * @param group the heading it stands under
 * @param note how to read it
 * @param low the end of the axis of values, which all charts of the kind and unit share
 * @param logarithmic whether the axis of values is
 * @param bars from top to bottom; empty for a chart of lines
 * @param lines null for a chart of bars
 */
public record Chart(
    String group,
    String title,
    String note,
    double low,
    double high,
    boolean logarithmic,
    List<Bar> bars,
    @Nullable Lines lines) {

  /**
   * A ratio and its interval.
   *
   * @param low null, as {@code high}, without interval
   * @param verdict faster, slower or same
   */
  public record Bar(
      String label, double value, @Nullable Double low, @Nullable Double high, String verdict) {}

  /**
   * Values along an axis.
   *
   * @param along what the horizontal axis is
   * @param ticks from its start to its end
   * @param limit that values should keep below
   */
  public record Lines(
      String along, String unit, List<Tick> ticks, @Nullable Double limit, List<Line> lines) {}

  /** A place on the horizontal axis. */
  public record Tick(double x, String label) {}

  /**
   * A line.
   *
   * @param style a number that a directory has in all charts
   */
  public record Line(String label, int style, List<Point> points) {}

  /**
   * A value on a line.
   *
   * @param low null, as {@code high}, without interval
   */
  public record Point(double x, double y, @Nullable Double low, @Nullable Double high) {}

  /** The numbers that it shows, as comma-separated values. */
  String csv() {
    StringBuilder csv = new StringBuilder(lines == null ? "name" : "name,x");
    csv.append(",value,low,high\n");
    bars.forEach(b -> row(csv, quoted(b.label()), b.value(), b.low(), b.high()));
    if (lines != null) {
      for (Line line : lines.lines()) {
        line.points()
            .forEach(p -> row(csv, quoted(line.label()) + "," + p.x(), p.y(), p.low(), p.high()));
      }
    }
    return csv.toString();
  }

  private static void row(
      StringBuilder csv, String name, double value, @Nullable Double low, @Nullable Double high) {
    csv.append(name).append(',').append(value).append(',').append(low == null ? "" : low);
    csv.append(',').append(high == null ? "" : high).append('\n');
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  /** A name for its file, without an ending. */
  String fileName() {
    return (group + "-" + title)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9.]+", "-")
        .replaceAll("^-|-$", "");
  }
}
