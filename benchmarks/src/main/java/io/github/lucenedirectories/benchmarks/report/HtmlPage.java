package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Facts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The page of a run: one file that needs no network. What a workload shows are its sections. */
public final class HtmlPage {
  private static final String COMMAND = "command";

  private final String title;
  private final List<String> notes;
  private final List<HtmlSection> sections;
  private final Map<String, Object> environment;

  /**
   * @param notes what was measured and how, a paragraph each
   * @param environment shown at the end, and its command before all else; may be empty
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

  /**
   * Writes the page.
   *
   * @throws UsageException that names the file, if it cannot be written
   */
  public void write(Path file) {
    StringBuilder html = new StringBuilder();
    html.append("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>");
    html.append("<meta name='viewport' content='width=device-width, initial-scale=1'>");
    html.append("<link rel='icon' href='data:,'><title>").append(Html.escape(title));
    html.append("</title>\n<style id='chart-style'>\n").append(resource("chart.css"));
    html.append("</style>\n<style>\n").append(resource("report.css"));
    html.append("</style></head>\n<body>\n<header><h1>").append(Html.escape(title));
    html.append("</h1><button type='button' id='theme'>light, dark</button></header>\n");
    notes.forEach(note -> html.append("<p>").append(Html.escape(note)).append("</p>\n"));
    if (environment.get(COMMAND) instanceof String command) {
      html.append("<p class='command'><code>").append(Html.escape(command));
      html.append("</code></p>\n");
    }
    sections.forEach(section -> section.write(html));
    facts(html);
    html.append("<script>\n").append(resource("report.js")).append("</script></body></html>\n");
    try {
      Files.writeString(file, html);
    } catch (IOException e) {
      throw UsageException.because("cannot write " + file, e);
    }
  }

  /** A text that lies beside this class. */
  static String resource(String name) {
    try (InputStream in = Objects.requireNonNull(HtmlPage.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void facts(StringBuilder html) {
    if (environment.isEmpty()) {
      return;
    }
    html.append("<h2>Where and how</h2>\n<table class='facts'>");
    Facts.of(environment)
        .forEach(
            (name, value) -> {
              html.append("<tr><td>").append(Html.escape(name)).append("</td><td><code>");
              html.append(Html.escape(value)).append("</code></td></tr>\n");
            });
    html.append("</table>\n");
  }
}
