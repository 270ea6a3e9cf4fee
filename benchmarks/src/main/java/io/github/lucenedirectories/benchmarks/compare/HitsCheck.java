package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.search.Answers;
import io.github.lucenedirectories.benchmarks.search.Answers.Asked;
import io.github.lucenedirectories.benchmarks.tasks.Hit;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Compares what a directory answered with what the baseline answered: totals, documents, scores,
 * order and contents must be the same. Scores of a vector search may differ by {@value
 * #VECTOR_TOLERANCE}, since Lucene adds in another order when it scores from the heap; documents
 * may then trade places, or be the last hit in each other's stead, only if their scores are that
 * close.
 */
public final class HitsCheck {
  static final double VECTOR_TOLERANCE = 1e-5;
  private static final String VECTOR = "vector//";

  private final String baseline;
  private final Answers expected;

  public HitsCheck(String baseline, Answers expected) {
    this.baseline = baseline;
    this.expected = expected;
  }

  /**
   * Compares every answer.
   *
   * @throws RunFailedException at the first difference, saying where it is and what it is
   */
  public void check(String directory, Answers found) {
    if (found.all().size() != expected.all().size()) {
      throw new RunFailedException(
          "hits differ on "
              + directory
              + ": "
              + found.all().size()
              + " answers, "
              + expected.all().size()
              + " on "
              + baseline);
    }
    for (int i = 0; i < expected.all().size(); i++) {
      new Pair(directory, expected.all().get(i), found.all().get(i)).check();
    }
  }

  private final class Pair {
    private final String directory;
    private final Asked asked;
    private final List<Hit> expectedHits;
    private final List<Hit> foundHits;
    private final String expectedTotal;
    private final String foundTotal;

    Pair(String directory, Asked expected, Asked found) {
      this.directory = directory;
      this.asked = expected;
      this.expectedHits = expected.answer().hits();
      this.foundHits = found.answer().hits();
      this.expectedTotal = expected.answer().total();
      this.foundTotal = found.answer().total();
    }

    void check() {
      if (!expectedTotal.equals(foundTotal)) {
        throw different("total", expectedTotal, foundTotal);
      }
      if (expectedHits.size() != foundHits.size()) {
        throw different("number of hits", expectedHits.size(), foundHits.size());
      }
      boolean vector = asked.query().startsWith(VECTOR);
      Set<Integer> seen = new HashSet<>();
      for (int rank = 0; rank < expectedHits.size(); rank++) {
        Hit e = expectedHits.get(rank);
        Hit f = foundHits.get(rank);
        if (vector ? !isNear(e, f) || !seen.add(f.doc()) : !isSame(e, f)) {
          throw different("rank " + (rank + 1), show(e), show(f));
        }
      }
    }

    private boolean isNear(Hit e, Hit f) {
      if (!isClose(e.score(), f.score())) {
        return false;
      }
      for (Hit other : expectedHits) {
        if (other.doc() == f.doc()) {
          return isClose(other.score(), f.score());
        }
      }
      return isClose(expectedHits.getLast().score(), f.score());
    }

    private RunFailedException different(String where, Object wanted, Object got) {
      return new RunFailedException(
          "hits differ on "
              + directory
              + ": kind "
              + asked.kind()
              + ", query '"
              + asked.query()
              + "', "
              + where
              + ": expected "
              + wanted
              + " (as on "
              + baseline
              + "), found "
              + got);
    }
  }

  private static boolean isSame(Hit e, Hit f) {
    return e.doc() == f.doc()
        && Float.floatToIntBits(e.score()) == Float.floatToIntBits(f.score())
        && e.detail().equals(f.detail());
  }

  private static boolean isClose(float a, float b) {
    return Math.abs((double) a - b) <= VECTOR_TOLERANCE;
  }

  private static String show(Hit hit) {
    String detail = hit.detail().isEmpty() ? "" : " " + hit.detail();
    return String.format(Locale.ROOT, "doc=%d score=%s%s", hit.doc(), hit.score(), detail);
  }
}
