package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What several runs differ by besides their figures: the machine, the software, the settings. */
final class Differences implements HtmlSection {
  private static final String ABSENT = "-";

  /* What is longer fills the line that is to be read first. */
  private static final int MOST_TOLD = 200;

  /** Facts that decide what was measured. */
  private static final Pattern SETTING =
      Pattern.compile("(plan|pace|index|text|memory)\\..*|jvmFlags|queries");

  /** Of these, those that do not: places, which directories, and how often. */
  private static final Pattern NO_SETTING =
      Pattern.compile("plan\\.(columns|forks|seed)|index\\.index|text\\.file|.*\\.folder");

  private final List<Run> runs;
  private final List<Row> rows = new ArrayList<>();

  private record Row(String fact, List<String> values) {
    boolean isSetting() {
      return SETTING.matcher(fact).matches() && !NO_SETTING.matcher(fact).matches();
    }

    String told() {
      String all = String.join(" / ", values);
      return all.length() > MOST_TOLD ? fact + " (see below)" : fact + " " + all;
    }
  }

  /**
   * Compares what the runs say of themselves.
   *
   * @throws UsageException if they are runs of different commands
   */
  Differences(List<Run> runs) {
    this.runs = List.copyOf(runs);
    if (runs.stream().map(run -> run.results().workload()).distinct().count() > 1) {
      throw new UsageException(
          "runs of different commands have no measures in common: "
              + runs.stream()
                  .map(run -> run.place() + " is of " + run.results().workload())
                  .collect(Collectors.joining(", ")));
    }
    List<Map<String, String>> facts = runs.stream().map(Run::facts).toList();
    Set<String> names = new LinkedHashSet<>();
    facts.forEach(each -> names.addAll(each.keySet()));
    for (String name : names) {
      List<String> values = facts.stream().map(f -> f.getOrDefault(name, ABSENT)).toList();
      if (values.stream().distinct().count() > 1) {
        rows.add(new Row(name, values));
      }
    }
  }

  /** In one line, the settings that make the runs' figures hard to compare; empty if none. */
  String settings() {
    List<String> told = rows.stream().filter(Row::isSetting).map(Row::told).toList();
    return told.isEmpty()
        ? ""
        : "The settings differ, so ratios between the runs are of more than the directories: "
            + String.join("; ", told)
            + ".";
  }

  @Override
  public void write(StringBuilder html) {
    String settings = settings();
    if (!settings.isEmpty()) {
      html.append("<p class='warning'>").append(Html.escape(settings)).append("</p>\n");
    }
    html.append("<h2>What differs</h2>\n<p class='note'>");
    html.append(rows.isEmpty() ? "Nothing that the runs tell of." : "All else is the same.");
    html.append("</p>\n<div class='scroll'><table class='facts'><tr><th></th>");
    runs.forEach(run -> html.append("<th>").append(Html.escape(run.name())).append("</th>"));
    html.append("</tr>\n");
    for (Row row : rows) {
      html.append("<tr><td>").append(Html.escape(row.fact())).append("</td>");
      for (String value : row.values()) {
        html.append("<td><code>").append(Html.escape(value)).append("</code></td>");
      }
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
  }
}
