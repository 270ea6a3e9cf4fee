package io.github.lucenedirectories.benchmarks.report;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A chart as a file of its own, for slides: with its title, on white, and with the styles written
 * out, since not every program that shows SVG knows variables.
 */
public final class StandaloneSvg {
  private static final int TITLE = 26;
  private static final Pattern SIZE = Pattern.compile("^<svg viewBox='0 0 (\\d+) (\\d+)'");
  private static final Pattern VARIABLE = Pattern.compile("(--[a-z0-9]+): ([^;]+);");

  private StandaloneSvg() {}

  /** The content of the file. */
  public static String of(ChartFigure figure) {
    String svg = figure.svg();
    Matcher size = SIZE.matcher(svg);
    if (!size.find()) {
      throw new IllegalArgumentException("not a chart: " + svg);
    }
    int width = Integer.parseInt(size.group(1));
    int height = Integer.parseInt(size.group(2)) + TITLE;
    int start = svg.indexOf('>') + 1;
    return String.format(
        Locale.ROOT,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 -%d %d %d'>"
            + "<style>\n%s</style><rect class='paper' x='0' y='-%d' width='%d' height='%d'/>"
            + "<text class='mean' x='6' y='-9'>%s</text>%s\n",
        2 * width,
        2 * height,
        TITLE,
        width,
        height,
        style(),
        TITLE,
        width,
        height,
        Html.escape(figure.title()),
        svg.substring(start));
  }

  /** The rules for charts, with the light colours instead of the variables. */
  private static String style() {
    String css = HtmlPage.resource("chart.css");
    int end = css.indexOf('}') + 1;
    String rules = css.substring(css.indexOf("/* Charts. */"));
    Matcher variables = VARIABLE.matcher(css.substring(0, end));
    while (variables.find()) {
      rules = rules.replace("var(" + variables.group(1) + ")", variables.group(2));
    }
    return rules;
  }
}
