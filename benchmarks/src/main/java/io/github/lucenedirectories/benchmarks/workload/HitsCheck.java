// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer.Hit;
import io.github.lucenedirectories.tools.console.RunFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the answers of the first fork, which is the baseline's, and compares those of all other
 * forks with them: totals, documents, scores, order and contents must be the same. Scores of a
 * vector search may differ by {@value #VECTOR_TOLERANCE}, since Lucene adds in another order when
 * it scores from the heap; documents with scores that close may change places, and one of them may
 * replace the last hit.
 */
public final class HitsCheck {
  static final double VECTOR_TOLERANCE = 1e-5;
  private static final String VECTOR = "vector//";

  /** What a fork says with its answers. */
  public static final String ANSWERED = "answered";

  private String first = "";
  private @Nullable List<Asked> expected;

  /** A query and its answer. */
  public record Asked(String kind, String query, Answer answer) {}

  /** The part of the fork: runs every query once and tells the parent what it found. */
  static List<Answer> send(Fork fork, List<Task> tasks, SearchContext context) throws IOException {
    List<Asked> all = ask(tasks, context);
    fork.send(ANSWERED, all);
    return all.stream().map(Asked::answer).toList();
  }

  /** Runs every query once. */
  public static List<Asked> ask(List<Task> tasks, SearchContext context) throws IOException {
    List<Asked> all = new ArrayList<>();
    for (Task task : tasks) {
      all.add(new Asked(task.line().kind(), task.line().text(), task.answer(context)));
    }
    return all;
  }

  /** Waits for the answers of a fork, and keeps or compares them. */
  public void check(String column, ChildJvm child) throws IOException {
    check(column, List.of(child.await(ANSWERED, Asked[].class)));
  }

  /** Keeps or compares answers, in the order of the queries. Fails at the first difference. */
  void check(String column, List<Asked> found) {
    List<Asked> wanted = expected;
    if (wanted == null) {
      first = column;
      expected = found;
      return;
    }
    if (found.size() != wanted.size()) {
      throw different(column, "", "answers", wanted.size(), found.size());
    }
    for (int i = 0; i < wanted.size(); i++) {
      check(column, wanted.get(i), found.get(i));
    }
  }

  private void check(String column, Asked wanted, Asked found) {
    String query = "kind " + wanted.kind() + ", query '" + wanted.query() + "', ";
    List<Hit> hits = wanted.answer().hits();
    List<Hit> others = found.answer().hits();
    if (!wanted.answer().total().equals(found.answer().total())) {
      throw different(column, query, "total", wanted.answer().total(), found.answer().total());
    }
    if (hits.size() != others.size()) {
      throw different(column, query, "number of hits", hits.size(), others.size());
    }
    boolean vector = wanted.query().startsWith(VECTOR);
    Set<Integer> seen = new HashSet<>();
    for (int rank = 0; rank < hits.size(); rank++) {
      Hit hit = hits.get(rank);
      Hit other = others.get(rank);
      boolean same =
          vector ? isNear(hits, hit, other) && seen.add(other.doc()) : isSame(hit, other);
      if (!same) {
        throw different(column, query, "rank " + (rank + 1), show(hit), show(other));
      }
    }
  }

  private static boolean isNear(List<Hit> hits, Hit hit, Hit other) {
    float own =
        hits.stream()
            .filter(h -> h.doc() == other.doc())
            .findFirst()
            .orElse(hits.getLast())
            .score();
    return isClose(hit.score(), other.score()) && isClose(own, other.score());
  }

  private static boolean isSame(Hit hit, Hit other) {
    return hit.doc() == other.doc()
        && Float.floatToIntBits(hit.score()) == Float.floatToIntBits(other.score())
        && hit.detail().equals(other.detail());
  }

  private static boolean isClose(float a, float b) {
    return Math.abs((double) a - b) <= VECTOR_TOLERANCE;
  }

  private RunFailedException different(
      String column, String query, String where, Object wanted, Object found) {
    return new RunFailedException(
        Numbers.text(
            "hits differ on %s: %s%s: expected %s (as on %s), found %s",
            column, query, where, wanted, first, found));
  }

  private static String show(Hit hit) {
    String detail = hit.detail().isEmpty() ? "" : " " + hit.detail();
    return Numbers.text("doc=%d score=%s%s", hit.doc(), hit.score(), detail);
  }
}
