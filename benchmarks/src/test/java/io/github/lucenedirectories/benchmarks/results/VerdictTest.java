// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The answers of results whose truth is known. */
class VerdictTest {
  private static final int FORKS = 12;
  private static final String CONTROL = Results.controlOf(MadeUp.BASE);
  private static final String RAM = "RamDirectory";

  private static MadeUp quiet(String directory, double rate, double time) {
    return new MadeUp(FORKS, 0.005).control().column(directory, rate, time);
  }

  private static Verdict verdict(MadeUp made) {
    return Objects.requireNonNull(made.results().verdict());
  }

  /** The line of the last directory, of a run that has an answer. */
  private static void answers(String expected, MadeUp made) {
    Verdict verdict = verdict(made);
    assertTrue(verdict.trusted(), verdict.text());
    String line = verdict.sentences().getLast();
    assertTrue(line.matches(expected), line);
  }

  private static void hasNoAnswer(String reason, MadeUp made) {
    Verdict verdict = verdict(made);
    assertFalse(verdict.trusted(), verdict.text());
    assertTrue(verdict.text().matches(reason), verdict.text());
  }

  @Test
  void directoriesAreEqualFasterOrSlower() {
    String ram = "RamDirectory / MMapDirectory: ";
    answers(ram + "1\\.00 \\(.*\\), equal within 1 %\\.", quiet(RAM, 1, 1));
    answers(ram + "0\\.98 \\(.*\\), equal within 3 %\\.", quiet(RAM, 0.98, 1));
    answers(ram + "1\\.20 \\(1\\.\\d+( to 1\\.\\d+)?\\), faster\\.", quiet(RAM, 1.2, 1));
    answers(ram + "0\\.90 \\(0\\.\\d+( to 0\\.\\d+)?\\), slower\\.", quiet(RAM, 0.9, 1));
    // A shorter time is faster.
    answers("query p99 of " + ram + "0\\.80 .*, faster\\.", quiet(RAM, 1, 0.8).timesAlone());
    MadeUp wide = quiet("NioDirectory", 1, 1.3).timesAlone().column(RAM, 1, 1);
    answers(".*, not known\\.", wide.times(RAM, MadeUp.TIME, 1.1, true));
  }

  @Test
  void aControlThatIsWideOrOffIsNoAnswer() {
    MadeUp wide = quiet(RAM, 3, 1).timesAlone().times(CONTROL, MadeUp.TIME, 1.5, true);
    hasNoAnswer(
        "No answer: the interval of MMapDirectory against itself is too wide \\(0\\..* to 1\\..*\\)\\."
            + " Run it again with --forks 24, and end other programs if you can\\.",
        wide);
    hasNoAnswer(
        ".* against itself does not hold 1\\.00 \\(1\\.05.*\\)\\. .*",
        new MadeUp(FORKS, 0.005).column(CONTROL, 1.05, 1).column(RAM, 3, 1));
    MadeUp coloured = quiet(RAM, 3, 1);
    for (int i = 0; i < 8; i++) {
      coloured.times(CONTROL, MadeUp.KINDS.get(i), i % 2 == 0 ? 1.05 : 1 / 1.05, false);
    }
    hasNoAnswer(".* MMapDirectory differs from itself in .* of 21 figures\\. .*", coloured);
  }

  @Test
  void intervalsThatAreAllTooWideAreNoAnswer() {
    MadeUp made = quiet(RAM, 1, 1).timesAlone().times(RAM, MadeUp.TIME, 1.5, true);
    hasNoAnswer("No answer: the intervals of all directories are too wide\\. .*", made);
    answers("One JVM of each .*", new MadeUp(1, 0.005).control().column(RAM, 3, 1));
  }

  @Test
  void withoutAControlTheRunSaysSo() {
    Results alone = new MadeUp(4, 0.005).column(RAM, 1, 1).results();
    assertTrue(alone.hints().get(0).startsWith("No directory was measured twice"));
    assertEquals(List.of(), quiet(RAM, 1, 1).results().hints());
  }
}
