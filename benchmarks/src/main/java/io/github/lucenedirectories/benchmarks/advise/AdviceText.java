package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.results.Advice;
import java.util.ArrayList;
import java.util.List;

/** A recommendation as a terminal shows it. */
final class AdviceText {
  private AdviceText() {}

  static List<String> lines(Advice advice) {
    List<String> lines = new ArrayList<>();
    lines.add("Recommended: " + advice.directory());
    advice.why().forEach(why -> lines.add("  " + why));
    lines.add("");
    lines.add("  " + advice.code());
    lines.add("  java " + String.join(" ", advice.jvmFlags()) + " ...");
    if (advice.artifact() != null) {
      lines.add("  Maven: " + advice.artifact());
    }
    if (!advice.cautions().isEmpty()) {
      lines.add("");
      lines.add("What weakens this");
      advice.cautions().forEach(caution -> lines.add("- " + caution));
    }
    lines.add("");
    lines.add("What this could not know");
    for (Advice.Unknown unknown : advice.unknown()) {
      lines.add(
          "- " + unknown.what() + (unknown.command() == null ? "" : ": " + unknown.command()));
    }
    return lines;
  }
}
