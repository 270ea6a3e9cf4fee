package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.Figure;
import io.github.lucenedirectories.benchmarks.measures.Measure;
import io.github.lucenedirectories.benchmarks.measures.Measure.Better;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.meter.Operation;
import io.github.lucenedirectories.benchmarks.results.Medians;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the index workload takes, and what it means. */
final class IndexMeasures {
  static final String SPEED_MEANING =
      "Documents per second of a whole run: from the opening of the writer until it is closed, with"
          + " flushes, merges and the commit at the end. Without sync: the same without the time of"
          + " the commit's sync, which measures the disk.";
  static final String OWN_MEANING =
      "The time of the calls to the directory itself, its outputs and the inputs it opens, added up"
          + " over all threads, for each 10,000 documents: analysis, sorting and compression are"
          + " Lucene's and not in it. It is wall-clock time, and where more threads run than there"
          + " are processors it includes waiting for one. Sync is apart: fsync, and what a caching"
          + " directory writes to files then. Small writes reach the directory in blocks of 8 KiB,"
          + " whatever directory it is. Reads by merges are not in it: they go to clones and"
          + " slices, which are not measured.";
  static final String OPERATIONS_MEANING =
      "The directory's own time by what it was asked to do, for each 10,000 documents. finish:"
          + " close of an output; close: of an input; look: listAll, fileLength,"
          + " getPendingDeletions.";
  static final String RUN_MEANING = "What went on in a run; nothing to compare.";

  private static final int PER_DOCUMENTS = 10_000;
  private static final double MILLIS = 1e6;
  private static final double MEBIBYTE = 1 << 20;
  private static final String UNIT = "ms";

  private static final Measure SPEED =
      new Measure("documents per second", "whole", "docs/s", Better.HIGHER);
  private static final Measure SPEED_WITHOUT_SYNC =
      new Measure("documents per second without sync", "without sync", "docs/s", Better.HIGHER);
  private static final Measure OWN =
      new Measure("own time per 10,000 documents", "own", UNIT, Better.LOWER);
  private static final Measure SYNC =
      new Measure("sync time per 10,000 documents", "sync", UNIT, Better.NEITHER);
  private static final Measure MERGES = new Measure("merges", "merges", "a run", Better.NEITHER);
  private static final Measure SEGMENTS =
      new Measure("segments", "segments", "in the end", Better.NEITHER);
  private static final Measure SIZE = new Measure("size", "size", "MiB", Better.NEITHER);
  private static final Measure RUNS =
      new Measure("runs", "runs", "measured in a fork", Better.NEITHER);

  static final List<MeasureGroup> GROUPS =
      List.of(
          new MeasureGroup(
              "Speed of indexing",
              SPEED_MEANING,
              Place.EVERYWHERE,
              List.of(SPEED, SPEED_WITHOUT_SYNC)),
          new MeasureGroup(
              "The directory's own time per 10,000 documents",
              OWN_MEANING,
              Place.EVERYWHERE,
              List.of(OWN, SYNC)),
          new MeasureGroup(
              "The directory's own time by operation",
              OPERATIONS_MEANING,
              Place.PAGE,
              Arrays.stream(Operation.values()).map(IndexMeasures::of).toList()),
          new MeasureGroup(
              "The runs", RUN_MEANING, Place.PAGE, List.of(RUNS, MERGES, SEGMENTS, SIZE)),
          Beside.GROUP);

  private final int documents;

  /**
   * @param documents of each run
   */
  IndexMeasures(int documents) {
    this.documents = documents;
  }

  private static Measure of(Operation operation) {
    return new Measure("own " + operation.label(), operation.label(), UNIT, Better.LOWER);
  }

  /** The figures of a column's forks. */
  Measured measured(WritableColumn column, List<IndexSamples> forks) {
    return new Measured(
        column.label(), forks.stream().map(fork -> figures(fork, column.metered())).toList());
  }

  private Map<Measure, Figure> figures(IndexSamples fork, boolean metered) {
    Map<Measure, Figure> figures = new LinkedHashMap<>();
    figures.put(SPEED, figure(fork, run -> documents / run.seconds()));
    if (metered) {
      figures.put(
          SPEED_WITHOUT_SYNC, figure(fork, run -> documents / (run.seconds() - syncSeconds(run))));
      figures.put(
          OWN,
          figure(
              fork, run -> perDocuments(run.own().totalNanos() - run.own().nanos(Operation.SYNC))));
      figures.put(SYNC, figure(fork, run -> perDocuments(run.own().nanos(Operation.SYNC))));
      for (Operation operation : Operation.values()) {
        figures.put(of(operation), figure(fork, run -> perDocuments(run.own().nanos(operation))));
      }
    }
    figures.put(MERGES, figure(fork, IndexSamples.Run::merges));
    figures.put(SEGMENTS, figure(fork, IndexSamples.Run::segments));
    figures.put(SIZE, figure(fork, run -> run.bytes() / MEBIBYTE));
    figures.put(RUNS, Figure.of(fork.runs().size()));
    figures.putAll(Beside.all(fork.beside()));
    return figures;
  }

  private static double syncSeconds(IndexSamples.Run run) {
    return run.own().nanos(Operation.SYNC) / 1e9;
  }

  private double perDocuments(long nanos) {
    return nanos / MILLIS * PER_DOCUMENTS / documents;
  }

  private static Figure figure(IndexSamples fork, ToDoubleFunction<IndexSamples.Run> value) {
    List<Double> parts = fork.runs().stream().map(value::applyAsDouble).toList();
    return new Figure(Medians.of(parts), parts);
  }
}
