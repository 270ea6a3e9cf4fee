// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer.Hit;
import io.github.lucenedirectories.benchmarks.workload.HitsCheck.Asked;
import io.github.lucenedirectories.tools.console.RunFailedException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HitsCheckTest {
  private static final String WORDS = "+public +after";
  private static final String VECTOR = "vector//public after";

  private static void check(String query, Answer expected, Answer found) {
    HitsCheck hits = new HitsCheck();
    hits.check("MMapDirectory", answers(query, expected));
    hits.check("RamDirectory", answers(query, found));
  }

  private static List<Asked> answers(String query, Answer answer) {
    return List.of(new Asked("AndHighHigh", query, answer));
  }

  private static Answer answer(String total, Hit... hits) {
    return new Answer(total, List.of(hits));
  }

  private static Hit hit(int doc, double score) {
    return new Hit(doc, (float) score, "");
  }

  private static RunFailedException refused(
      String query, Answer expected, Answer found, String why) {
    return assertThrows(RunFailedException.class, () -> check(query, expected, found), why);
  }

  @Test
  void equalAnswersPass() {
    Answer answer = answer("12+", hit(3, 2.5), hit(9, 1.25), new Hit(4, Float.NaN, "[title]"));
    Answer same = answer("12+", hit(3, 2.5), hit(9, 1.25), new Hit(4, Float.NaN, "[title]"));
    assertDoesNotThrow(() -> check(WORDS, answer, same));
  }

  @Test
  void everyDifferenceIsFoundAndNamed() {
    Map.of(
            answer("13", hit(3, 2.5), hit(9, 1.25)),
            "total: expected 12 (as on MMapDirectory), found 13",
            answer("12", hit(3, 2.5)),
            "number of hits: expected 2 (as on MMapDirectory), found 1",
            answer("12", hit(3, 2.5), hit(8, 1.25)),
            "rank 2: expected doc=9 score=1.25 (as on MMapDirectory), found doc=8 score=1.25",
            answer("12", hit(3, 2.5), hit(9, Math.nextUp(1.25f))),
            "rank 2: expected doc=9 score=1.25 (as on MMapDirectory), found doc=9 score=1.2500001",
            answer("12", new Hit(3, 2.5f, "x"), hit(9, 1.25)),
            "rank 1: expected doc=3 score=2.5 (as on MMapDirectory), found doc=3 score=2.5 x")
        .forEach(
            (found, message) ->
                assertEquals(
                    "hits differ on RamDirectory: kind AndHighHigh, query '+public +after', "
                        + message,
                    refused(WORDS, answer("12", hit(3, 2.5), hit(9, 1.25)), found, message)
                        .getMessage()));
  }

  @Test
  void aMissingAnswerIsNoticed() {
    HitsCheck hits = new HitsCheck();
    hits.check("MMapDirectory", answers(WORDS, answer("0")));
    assertThrows(RunFailedException.class, () -> hits.check("RamDirectory", List.of()));
  }

  @Test
  void vectorScoresMayDifferByTheirTolerance() {
    Answer expected = answer("3", hit(1, 0.9), hit(2, 0.80000), hit(3, 0.800001));
    assertDoesNotThrow(
        () -> check(VECTOR, expected, answer("3", hit(1, 0.900005), hit(2, 0.8), hit(3, 0.8))));
    assertDoesNotThrow(
        () -> check(VECTOR, expected, answer("3", hit(1, 0.9), hit(3, 0.8), hit(2, 0.8))),
        "tied documents may trade places");
    assertDoesNotThrow(
        () -> check(VECTOR, expected, answer("3", hit(1, 0.9), hit(2, 0.8), hit(7, 0.800003))),
        "a document tied with the last may replace it");
  }

  @Test
  void vectorSearchIsStillChecked() {
    Answer expected = answer("2", hit(1, 0.9), hit(2, 0.8));
    Answer tied = answer("2", hit(1, 0.8), hit(2, 0.8));
    refused(VECTOR, expected, answer("2", hit(1, 0.9), hit(2, 0.80002)), "another score");
    refused(VECTOR, expected, answer("2", hit(7, 0.9), hit(2, 0.8)), "not tied with the last");
    refused(VECTOR, tied, answer("2", hit(1, 0.8), hit(1, 0.8)), "one document twice");
    refused(VECTOR, expected, answer("2", hit(2, 0.9), hit(1, 0.8)), "scores that lie apart");
  }
}
