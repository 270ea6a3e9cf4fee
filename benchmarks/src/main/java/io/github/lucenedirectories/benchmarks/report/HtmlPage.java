package io.github.lucenedirectories.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The page of a run: one file that needs no network. What a workload shows are its sections. */
public final class HtmlPage {
  private final String title;
  private final List<String> notes;
  private final List<HtmlSection> sections;
  private final Map<String, Object> environment;

  /**
   * @param notes what was measured and how, a paragraph each
   * @param environment shown at the end
   */
  public HtmlPage(
      String title,
      List<String> notes,
      List<HtmlSection> sections,
      Map<String, Object> environment) {
    this.title = title;
    this.notes = List.copyOf(notes);
    this.sections = List.copyOf(sections);
    this.environment = environment;
  }

  /** Writes the page. */
  public void write(Path file) throws IOException {
    StringBuilder html = new StringBuilder();
    html.append("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>");
    html.append("<meta name='viewport' content='width=device-width, initial-scale=1'>");
    html.append("<title>").append(Html.escape(title)).append("</title>\n<style>\n");
    html.append(style()).append("</style></head>\n<body>\n");
    html.append("<h1>").append(Html.escape(title)).append("</h1>\n");
    notes.forEach(note -> html.append("<p>").append(Html.escape(note)).append("</p>\n"));
    sections.forEach(section -> section.write(html));
    facts(html);
    html.append("</body></html>\n");
    Files.writeString(file, html);
  }

  private static String style() throws IOException {
    try (InputStream css =
        Objects.requireNonNull(HtmlPage.class.getResourceAsStream("report.css"))) {
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void facts(StringBuilder html) {
    html.append("<h2>Where and how</h2>\n<table class='facts'>");
    for (Map.Entry<String, Object> fact : environment.entrySet()) {
      String value =
          fact.getValue() instanceof List<?> list
              ? list.stream().map(String::valueOf).collect(Collectors.joining(" "))
              : String.valueOf(fact.getValue());
      html.append("<tr><td>").append(Html.escape(fact.getKey())).append("</td><td><code>");
      html.append(Html.escape(value)).append("</code></td></tr>\n");
    }
    html.append("</table>\n");
  }
}
