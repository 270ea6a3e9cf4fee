package io.github.lucenedirectories.benchmarks.report;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A chart on a page: its title, the picture, what it says, and behind it the numbers as a table and
 * as a file to keep.
 *
 * @param group the title of the section that it belongs to; names its files together with the title
 * @param svg as the charts' {@code svg} methods give it
 * @param caption in a few words; may be empty
 */
public record ChartFigure(String group, String title, String svg, String caption, ChartData data) {

  /** The name of the chart's files, without an ending. */
  public String fileName() {
    String name = (group + " " + title).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
    return name.replaceAll("^-|-$", "");
  }

  void write(StringBuilder html) {
    String name = Html.escape(fileName());
    html.append("<figure><h3>").append(Html.escape(title)).append("</h3>").append(svg);
    html.append("<figcaption><span>").append(Html.escape(caption)).append("</span> ");
    html.append("<a download='").append(name).append(".csv' href='data:text/csv;charset=utf-8,");
    html.append(encoded(data.csv())).append("'>CSV</a> ");
    html.append("<button type='button' data-png='").append(name).append(".png'>PNG</button>");
    html.append("</figcaption>\n<details><summary>Numbers</summary>");
    data.table(html);
    html.append("</details></figure>\n");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
