package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.Figure;
import io.github.lucenedirectories.benchmarks.measures.Measure;
import io.github.lucenedirectories.benchmarks.measures.Measure.Better;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.meter.Operation;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What the commit workload takes, and what it means. */
final class CommitMeasures {
  static final String WHOLE_MEANING =
      "The whole of IndexWriter.commit: flushing the documents that were added since the last one,"
          + " writing the segment and the commit, making both durable. Adding the documents is not"
          + " in it. Where Lucene merges on a commit, the wait for that merge is.";
  static final String OWN_MEANING =
      "What of a commit its thread spent in the directory's sync, rename and syncMetaData: making"
          + " durable what was written, and the rename that commits. It is wall-clock time, so it"
          + " includes waiting for a lock of the directory or for a processor. The calls that"
          + " create, write and close files come on top; they are among the operations.";
  static final String SPEED_MEANING =
      "Documents per second of one thread that adds and commits in turn.";
  static final String FIRST_MEANING =
      "The first commit after the directory was opened on what an earlier writer had left: the"
          + " whole of it, and the directory's own part. One of each a fork.";
  private static final String OPERATIONS_MEANING =
      "What the committing thread spent in calls to the directory during a commit, by what it was"
          + " asked to do: the mean over a fork's commits. finish: close of an output; close: of an"
          + " input; look: listAll, fileLength, getPendingDeletions; sync: with syncMetaData.";
  private static final String RUN_MEANING = "What went on in a fork; nothing to compare.";

  private static final double MICROS = 1e3;
  private static final double NANOS = 1e9;
  private static final int P50 = 50;
  private static final int P99 = 99;
  private static final int FEW = 100;
  private static final String UNIT = "us";

  private CommitMeasures() {}

  /** What is shown together: a measure of all sizes, so that a line has a column's sizes. */
  static List<MeasureGroup> groups(List<Integer> sizes) {
    List<MeasureGroup> groups = new ArrayList<>();
    groups.add(
        group(
            "Commit, median, by documents per commit",
            WHOLE_MEANING,
            sizes.stream().map(size -> whole(size, P50)).toList()));
    groups.add(
        group(
            "Commit, 99th percentile",
            WHOLE_MEANING,
            sizes.stream().map(size -> whole(size, P99)).toList()));
    groups.add(
        group(
            "The directory's own part of a commit, median",
            OWN_MEANING,
            sizes.stream().map(size -> own(size, P50)).toList()));
    groups.add(
        group(
            "The directory's own part of a commit, 99th percentile",
            OWN_MEANING,
            sizes.stream().map(size -> own(size, P99)).toList()));
    groups.add(
        group(
            "Documents per second",
            SPEED_MEANING,
            sizes.stream().map(CommitMeasures::speed).toList()));
    groups.add(
        group(
            "The first commit after an open",
            FIRST_MEANING,
            sizes.stream().map(CommitMeasures::first).toList()));
    groups.add(
        group(
            "The directory's own part of the first commit after an open",
            FIRST_MEANING,
            sizes.stream().map(CommitMeasures::firstOwn).toList()));
    for (int size : sizes) {
      groups.add(
          new MeasureGroup(
              "The directory's time in commits by operation, documents per commit: " + size,
              OPERATIONS_MEANING,
              Place.PAGE,
              Arrays.stream(Operation.values()).map(o -> of(size, o)).toList()));
    }
    groups.add(
        new MeasureGroup(
            "The runs",
            RUN_MEANING,
            Place.PAGE,
            sizes.stream().map(CommitMeasures::count).toList()));
    groups.add(Beside.GROUP);
    return groups;
  }

  private static MeasureGroup group(String title, String meaning, List<Measure> measures) {
    return new MeasureGroup(title, meaning, Place.EVERYWHERE, measures);
  }

  private static Measure whole(int size, int percentile) {
    return time("commit of " + size + " p" + percentile, "p" + percentile + " of " + size);
  }

  private static Measure own(int size, int percentile) {
    return time(
        "own part of commit of " + size + " p" + percentile, "own p" + percentile + " of " + size);
  }

  private static Measure first(int size) {
    return time("first commit of " + size, "first of " + size);
  }

  private static Measure firstOwn(int size) {
    return time("own part of first commit of " + size, "first own of " + size);
  }

  private static Measure of(int size, Operation operation) {
    return time("own part of commit of " + size + ", " + operation.label(), operation.label());
  }

  private static Measure time(String task, String heading) {
    return new Measure(task, heading, UNIT, Better.LOWER);
  }

  private static Measure speed(int size) {
    return new Measure("documents per second by " + size, "by " + size, "docs/s", Better.HIGHER);
  }

  private static Measure count(int size) {
    return new Measure("commits of " + size, "of " + size, "commits", Better.NEITHER);
  }

  /** The figures of a column's forks. */
  static Measured measured(CommitColumn column, List<CommitSamples> forks) {
    return new Measured(column.label(), forks.stream().map(CommitMeasures::figures).toList());
  }

  private static Map<Measure, Figure> figures(CommitSamples fork) {
    Map<Measure, Figure> figures = new LinkedHashMap<>();
    fork.sizes().forEach(size -> figures(size, figures));
    figures.putAll(Beside.all(fork.beside()));
    return figures;
  }

  private static void figures(CommitSamples.Size fork, Map<Measure, Figure> figures) {
    int size = fork.documents();
    Histogram whole = EncodedHistogram.decode(fork.whole());
    Histogram own = EncodedHistogram.decode(fork.own());
    for (int percentile : new int[] {P50, P99}) {
      figures.put(whole(size, percentile), micros(whole.getValueAtPercentile(percentile)));
      figures.put(own(size, percentile), micros(own.getValueAtPercentile(percentile)));
    }
    figures.put(speed(size), Figure.of((double) fork.count() * size / (fork.nanos() / NANOS)));
    figures.put(first(size), micros(fork.first().wholeNanos()));
    figures.put(firstOwn(size), micros(fork.first().ownNanos()));
    for (Operation operation : Operation.values()) {
      figures.put(
          of(size, operation), Figure.of(fork.all().nanos(operation) / MICROS / fork.count()));
    }
    figures.put(count(size), Figure.of((double) fork.count()));
  }

  private static Figure micros(long nanos) {
    return Figure.of(nanos / MICROS);
  }

  /** What a reader of the tables has to know of these samples. */
  static List<String> remarks(Map<CommitColumn, List<CommitSamples>> samples) {
    Map<Integer, Long> fewest = new LinkedHashMap<>();
    samples.values().stream()
        .flatMap(List::stream)
        .flatMap(fork -> fork.sizes().stream())
        .forEach(size -> fewest.merge(size.documents(), size.count(), Math::min));
    List<String> remarks = new ArrayList<>();
    fewest.forEach(
        (size, count) -> {
          if (count < FEW) {
            remarks.add(
                "Percentiles are taken in each fork: with "
                    + size
                    + " documents per commit there are down to "
                    + count
                    + " commits, of which p99 is the longest.");
          }
        });
    return remarks;
  }
}
