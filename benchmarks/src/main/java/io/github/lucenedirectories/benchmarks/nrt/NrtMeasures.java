package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
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
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What the near-real-time workload takes, and what it means. */
final class NrtMeasures {
  static final String REOPEN_MEANING =
      "A reopen is all that its thread does for it: it flushes what was written, waits for small"
          + " merges as Lucene does by default, opens the new segments, and closes the old reader"
          + " unless a search still holds it. It shares the processors with the searches.";
  static final String OWN_MEANING =
      "What of a reopen its thread spent in calls to the directory itself, its outputs and the"
          + " inputs it opens: create, write, close, open, delete. Flushing, compression and merges"
          + " on other threads are not in it. It is wall-clock time, so it includes waiting for a"
          + " lock of the directory or for a processor. Small writes reach the directory in blocks"
          + " of 8 KiB, whatever directory it is.";
  static final String CLOSE_MEANING =
      "The time to release the last hold on an old reader, on whichever thread that falls to:"
          + " inputs of segments that were merged away are closed, their files deleted. Where a"
          + " search pays for it, it is part of that query's latency too.";
  static final String QUERY_MEANING =
      "From taking the current searcher until it was given back. The searching threads form a"
          + " closed loop: each asks its next query when the last is answered, so while a directory"
          + " stalls no queries pile up, and the percentiles are milder than for arrivals at a"
          + " fixed rate. The kinds are mixed: high percentiles belong to the slow kinds, unless a"
          + " stall is longer.";
  static final String UPDATE_MEANING =
      "Documents are replaced by random key at a fixed rate. The lag is the time from an update's"
          + " moment until it is done; what is late is made up for, so a rate that cannot be kept"
          + " shows as less than was asked for and a lag that grows.";
  private static final String CPU_MEANING =
      "The processor time of the reopening thread: without waiting, also for merges.";
  private static final String OPERATIONS_MEANING =
      "The directory's own part of a reopen by what it was asked to do: the mean over a fork's"
          + " reopens. finish: close of an output; close: of an input; look: listAll, fileLength,"
          + " getPendingDeletions.";
  private static final String COMMIT_MEANING = "The whole of IndexWriter.commit.";
  private static final String RUN_MEANING = "What went on in a fork; nothing to compare.";

  private static final double MILLIS = 1e6;
  private static final double MICROS = 1e3;
  private static final int FEW = 1000;

  /* The share of the updates asked for from which on the rate counts as kept. */
  private static final double KEPT = 0.99;

  static final Measure SPEED = new Measure("queries per second", "queries", "/s", Better.HIGHER);
  static final Measure UPDATES = new Measure("updates per second", "done", "/s", Better.HIGHER);
  static final Measure REOPENS = new Measure("reopens", "reopens", "a fork", Better.NEITHER);
  private static final Measure COLLECTION =
      new Measure("garbage collection", "collection", "ms/s", Better.NEITHER);
  private static final Measure SEGMENTS =
      new Measure("segments", "segments", "in the end", Better.NEITHER);
  private static final Measure SECONDS =
      new Measure("seconds", "seconds", "measured in a fork", Better.NEITHER);

  static final List<MeasureGroup> GROUPS =
      List.of(
          group("Reopen", REOPEN_MEANING, Place.EVERYWHERE, of(Latency.REOPEN)),
          group(
              "The directory's own part of a reopen",
              OWN_MEANING,
              Place.EVERYWHERE,
              of(Latency.OWN)),
          group("Close of an old reader", CLOSE_MEANING, Place.EVERYWHERE, of(Latency.CLOSE)),
          group("Query latency", QUERY_MEANING, Place.EVERYWHERE, of(Latency.QUERY)),
          group(
              "Queries per second",
              "Of all searching threads, over the whole time that was measured.",
              Place.EVERYWHERE,
              List.of(SPEED)),
          group("Updates", UPDATE_MEANING, Place.EVERYWHERE, with(UPDATES, of(Latency.LAG))),
          group("Commit", COMMIT_MEANING, Place.EVERYWHERE, of(Latency.COMMIT)),
          group("Processor time of a reopen", CPU_MEANING, Place.PAGE, of(Latency.CPU)),
          group(
              "The directory's own part of a reopen by operation",
              OPERATIONS_MEANING,
              Place.PAGE,
              Arrays.stream(Operation.values()).map(NrtMeasures::of).toList()),
          group(
              "The runs", RUN_MEANING, Place.PAGE, List.of(SECONDS, REOPENS, SEGMENTS, COLLECTION)),
          Beside.GROUP);

  private NrtMeasures() {}

  private static MeasureGroup group(
      String title, String meaning, Place place, List<Measure> measures) {
    return new MeasureGroup(title, meaning, place, measures);
  }

  /** Its percentiles, in milliseconds. */
  static List<Measure> of(Latency latency) {
    return Arrays.stream(Percentile.values()).map(p -> of(latency, p)).toList();
  }

  /** A percentile of a latency, in milliseconds. */
  static Measure of(Latency latency, Percentile percentile) {
    return new Measure(
        latency.label() + " " + percentile.label(), percentile.label(), "ms", Better.LOWER);
  }

  private static Measure of(Operation operation) {
    return new Measure(
        "own part of reopen, " + operation.label(), operation.label(), "\u00b5s", Better.LOWER);
  }

  private static List<Measure> with(Measure first, List<Measure> others) {
    List<Measure> all = new ArrayList<>(List.of(first));
    all.addAll(others);
    return all;
  }

  /** The figures of a column's forks. */
  static Measured measured(WritableColumn column, List<NrtSamples> forks) {
    return new Measured(
        column.label(), forks.stream().map(fork -> figures(fork, column.metered())).toList());
  }

  private static Map<Measure, Figure> figures(NrtSamples fork, boolean metered) {
    Map<Measure, Figure> figures = new LinkedHashMap<>();
    fork.latencies()
        .forEach(
            (latency, encoded) -> {
              Histogram histogram = EncodedHistogram.decode(encoded);
              for (Percentile percentile : Percentile.values()) {
                long nanos = histogram.getValueAtPercentile(percentile.percent());
                figures.put(of(latency, percentile), Figure.of(nanos / MILLIS));
              }
            });
    figures.put(
        SPEED,
        new Figure(
            fork.queries() / fork.seconds(),
            fork.queriesPerSecond().stream().map(Integer::doubleValue).toList()));
    figures.put(UPDATES, Figure.of(fork.updates() / fork.seconds()));
    if (metered && fork.reopens() > 0) {
      for (Operation operation : Operation.values()) {
        figures.put(
            of(operation), Figure.of(fork.own().nanos(operation) / MICROS / fork.reopens()));
      }
    }
    figures.put(SECONDS, Figure.of(fork.seconds()));
    figures.put(REOPENS, Figure.of((double) fork.reopens()));
    figures.put(SEGMENTS, Figure.of(fork.segments()));
    figures.put(COLLECTION, Figure.of(fork.collectionMillis() / fork.seconds()));
    figures.putAll(Beside.all(fork.beside()));
    return figures;
  }

  /** What a reader of the tables has to know of these samples. */
  static List<String> remarks(Map<WritableColumn, List<NrtSamples>> samples, int asked) {
    List<String> remarks = new ArrayList<>();
    long fewest =
        samples.values().stream()
            .mapToLong(forks -> forks.stream().mapToLong(NrtSamples::reopens).sum())
            .min()
            .orElse(0);
    long fewestInFork =
        samples.values().stream()
            .flatMap(List::stream)
            .mapToLong(NrtSamples::reopens)
            .min()
            .orElse(0);
    remarks.add("Reopens: at least " + fewest + " of each directory.");
    if (fewestInFork < FEW) {
      remarks.add(
          "Percentiles are taken in each fork: of "
              + fewestInFork
              + " reopens p99.9"
              + (fewestInFork < FEW / 10 ? " and p99 are" : " is")
              + " the longest.");
    }
    samples.forEach(
        (column, forks) -> {
          double slowest =
              forks.stream().mapToDouble(f -> f.updates() / f.seconds()).min().orElse(asked);
          if (slowest < KEPT * asked) {
            remarks.add(
                String.format(
                    Locale.ROOT,
                    "%s: the rate of updates was not kept: %,.0f of %,d a second.",
                    column.label(),
                    slowest,
                    asked));
          }
        });
    return remarks;
  }
}
