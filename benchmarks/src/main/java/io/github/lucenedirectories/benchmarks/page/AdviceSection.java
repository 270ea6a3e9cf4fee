package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.results.Advice;
import java.util.List;

/** What a run recommends. */
final class AdviceSection implements HtmlSection {
  private final Advice advice;

  AdviceSection(Advice advice) {
    this.advice = advice;
  }

  @Override
  public void write(StringBuilder html) {
    html.append("<h2>Recommended: ").append(Html.escape(advice.directory())).append("</h2>\n");
    advice.why().forEach(why -> html.append("<p>").append(Html.escape(why)).append("</p>\n"));
    code(html, advice.code());
    code(html, String.join(" ", advice.jvmFlags()));
    if (advice.artifact() != null) {
      code(html, advice.artifact());
    }
    list(html, "What weakens this", advice.cautions());
    if (!advice.unknown().isEmpty()) {
      html.append("<h2>What this could not know</h2>\n<ul>\n");
      for (Advice.Unknown unknown : advice.unknown()) {
        html.append("<li>").append(Html.escape(unknown.what()));
        if (unknown.command() != null) {
          html.append(": <code>").append(Html.escape(unknown.command())).append("</code>");
        }
        html.append("</li>\n");
      }
      html.append("</ul>\n");
    }
  }

  private static void code(StringBuilder html, String text) {
    html.append("<p class='command'><code>").append(Html.escape(text)).append("</code></p>\n");
  }

  private static void list(StringBuilder html, String title, List<String> items) {
    if (items.isEmpty()) {
      return;
    }
    html.append("<h2>").append(title).append("</h2>\n<ul>\n");
    items.forEach(item -> html.append("<li>").append(Html.escape(item)).append("</li>\n"));
    html.append("</ul>\n");
  }
}
