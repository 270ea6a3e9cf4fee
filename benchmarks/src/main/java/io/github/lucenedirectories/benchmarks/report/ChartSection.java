package io.github.lucenedirectories.benchmarks.report;

import java.util.List;

/**
 * Charts under a heading; nothing at all where there are none.
 *
 * @param note what the charts show, and how
 */
public record ChartSection(String title, String note, List<ChartFigure> figures)
    implements HtmlSection {

  public ChartSection {
    figures = List.copyOf(figures);
  }

  @Override
  public void write(StringBuilder html) {
    if (figures.isEmpty()) {
      return;
    }
    html.append("<h2>").append(Html.escape(title)).append("</h2>\n<p class='note'>");
    html.append(Html.escape(note)).append("</p>\n");
    grid(html, figures);
  }

  /** Appends charts side by side, as many as there is room for. */
  public static void grid(StringBuilder html, List<ChartFigure> figures) {
    if (!figures.isEmpty()) {
      html.append("<div class='charts'>\n");
      figures.forEach(figure -> figure.write(html));
      html.append("</div>\n");
    }
  }
}
