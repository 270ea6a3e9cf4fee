// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is said of results whose truth is known. */
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

  private static String text(MadeUp made) {
    Verdict verdict = verdict(made);
    assertTrue(verdict.trusted(), verdict.text());
    return verdict.text();
  }

  private static void matches(String expected, String found) {
    assertTrue(found.matches(expected), found);
  }

  @Test
  void directoriesAreEqualFasterOrSlower() {
    matches(
        "MappedDirectory and MMapDirectory are equal within 1 %\\. RamDirectory is 1\\.20( to"
            + " 1\\.21)? times as fast\\. NioDirectory is 0\\.50 times as fast\\.",
        text(quiet("MappedDirectory", 1, 1).column("NioDirectory", 0.5, 1).column(RAM, 1.2, 1)));
    // The first sentence names the baseline.
    matches(
        "RamDirectory is 1\\.20( to 1\\.21)? times as fast as MMapDirectory\\.",
        text(quiet(RAM, 1.2, 1)));
    // A shorter time is not called faster.
    matches(
        "Query p99: RamDirectory takes 0\\.\\d\\d to 0\\.\\d\\d times as long as MMapDirectory\\.",
        text(quiet(RAM, 1, 0.8).timesAlone()));
  }

  @Test
  void aWideControlIsNotTrusted() {
    Verdict verdict = verdict(quiet(RAM, 3, 1).timesAlone().times(CONTROL, MadeUp.TIME, 1.5, true));
    assertFalse(verdict.trusted());
    matches(
        "The machine was too noisy to compare directories: MMapDirectory, measured twice, came out"
            + " 0\\.\\d\\d to 1\\.\\d\\d times as long as itself\\. End other programs and run it"
            + " again with --forks 24\\.",
        verdict.text());
  }

  @Test
  void figuresThatSayNothingAreNotPrinted() {
    MadeUp control = quiet(RAM, 3, 1).timesAlone().times(CONTROL, MadeUp.TIME, 1e6, true);
    matches(
        ".* twice, varied too much to be compared even with itself\\..*", verdict(control).text());
    MadeUp ram = quiet(RAM, 1, 1).timesAlone().times(RAM, MadeUp.TIME, 1e6, true);
    assertEquals("Query p99: too noisy to tell: RamDirectory.", text(ram));
  }

  @Test
  void aControlThatIsOffIsNotTrusted() {
    MadeUp made = new MadeUp(FORKS, 0.005).column(CONTROL, 1.05, 1).column(RAM, 3, 1);
    assertFalse(verdict(made).trusted());
    matches(".* came out 1\\.05 times as fast as itself\\..*", verdict(made).text());
  }

  @Test
  void aControlWithTooManyColouredKindsIsNotTrusted() {
    MadeUp made = quiet(RAM, 3, 1);
    for (int i = 0; i < 8; i++) {
      made.times(CONTROL, MadeUp.KINDS.get(i), i % 2 == 0 ? 1.05 : 1 / 1.05, false);
    }
    matches(
        ".* differs from itself in more figures than chance explains\\..*", verdict(made).text());
  }

  @Test
  void oneJvmIsNotTrusted() {
    MadeUp made = new MadeUp(1, 0.005).control().column(RAM, 3, 1);
    assertFalse(verdict(made).trusted());
    matches("One JVM of each directory cannot tell .*", verdict(made).text());
  }

  @Test
  void whatLiesWithinTheControlIsNotCalledFaster() {
    MadeUp made = new MadeUp(FORKS, 0.001).control().column(RAM, 1, 1.06);
    made.timesAlone().times(CONTROL, MadeUp.TIME, 1.08, true);
    matches("Query p99: too noisy to tell: RamDirectory \\(1\\.06.*\\)\\.", text(made));
  }

  @Test
  void kindsThatAreTooNoisyOrSlowerAreNamed() {
    MadeUp made = quiet(RAM, 1, 1);
    made.times(RAM, "Kind3", 1.3, true).times(RAM, "Kind5", 0.9, false);
    String text = text(made);
    assertTrue(text.contains("RamDirectory is at least 3 % slower in Kind5."), text);
    assertTrue(text.endsWith("Kinds of query that were too noisy to tell: Kind3."), text);
  }

  @Test
  void hintsSayWhatWouldHelp() {
    Results few = new MadeUp(4, 0.005).control().column(RAM, 1, 1).results();
    assertTrue(
        few.hints().stream().anyMatch(h -> h.contains("--forks 10")), few.hints().toString());
    Results alone = new MadeUp(4, 0.005).column(RAM, 1, 1).results();
    assertTrue(alone.hints().get(0).startsWith("No directory was measured twice"));
    assertEquals(List.of(), quiet(RAM, 1, 1).results().hints());
  }
}
