package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.meter.Operation;
import io.github.lucenedirectories.benchmarks.meter.OwnTime;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one committing fork measured.
 *
 * @param directory what the directory says of itself
 * @param sizes in the order of the plan
 * @param beside what went on in the process while commits were measured
 */
record CommitSamples(String directory, List<Size> sizes, Span beside) {

  /**
   * One commit.
   *
   * @param addNanos for adding its documents to the writer
   * @param wholeNanos of the call
   * @param own of that, the directory's own time on the committing thread
   */
  record Commit(long addNanos, long wholeNanos, OwnTime own) {

    /** The directory's own part: making durable what was written, and the rename that commits. */
    long ownNanos() {
      return own.nanos(Operation.SYNC) + own.nanos(Operation.RENAME);
    }
  }

  /**
   * The commits of one size.
   *
   * @param documents of each commit
   * @param first after the directory was opened; not among the others
   * @param count of the others
   * @param whole nanoseconds of each call, an {@link EncodedHistogram}
   * @param own nanoseconds of each directory's own part, likewise
   * @param nanos of all commits and of the adding before them
   * @param all the directory's time on the committing thread, in all commits together
   */
  record Size(
      int documents, Commit first, long count, String whole, String own, long nanos, OwnTime all) {}

  /** Adds up the commits of one size. For one thread. */
  static final class Sum {
    /* Significant digits. */
    private static final int DIGITS = 3;

    private final int documents;
    private final Commit first;
    private final Histogram whole = new Histogram(DIGITS);
    private final Histogram own = new Histogram(DIGITS);
    private long nanos;
    private OwnTime all = OwnTime.none();

    Sum(int documents, Commit first) {
      this.documents = documents;
      this.first = first;
    }

    void add(Commit commit) {
      whole.recordValue(commit.wholeNanos());
      own.recordValue(commit.ownNanos());
      nanos += commit.addNanos() + commit.wholeNanos();
      all = all.plus(commit.own());
    }

    Size size() {
      return new Size(
          documents,
          first,
          whole.getTotalCount(),
          EncodedHistogram.encode(whole),
          EncodedHistogram.encode(own),
          nanos,
          all);
    }
  }
}
