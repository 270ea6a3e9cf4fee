package io.github.lucenedirectories.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The numbers that a chart was drawn from.
 *
 * @param header names of the columns, with their units
 * @param rows each with a cell for every column
 */
public record ChartData(List<String> header, List<List<String>> rows) {
  private static final MathContext SIX_DIGITS = new MathContext(6);

  public ChartData {
    header = List.copyOf(header);
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** A cell of a number: six digits, as in {@code results.json}. */
  static String number(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal rounded = new BigDecimal(value).round(SIX_DIGITS);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** Comma-separated values with a header, as RFC 4180 writes them. */
  public String csv() {
    return line(header) + rows.stream().map(ChartData::line).collect(Collectors.joining());
  }

  private static String line(List<String> cells) {
    return cells.stream().map(ChartData::quoted).collect(Collectors.joining(",")) + "\r\n";
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  /** Appends a table. */
  void table(StringBuilder html) {
    html.append("<div class='scroll'><table>");
    row(html, "th", header);
    rows.forEach(row -> row(html, "td", row));
    html.append("</table></div>\n");
  }

  private static void row(StringBuilder html, String tag, List<String> cells) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append('<').append(tag).append('>').append(Html.escape(cell));
      html.append("</").append(tag).append('>');
    }
    html.append("</tr>\n");
  }
}
