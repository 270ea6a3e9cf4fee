package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.Figure;
import io.github.lucenedirectories.benchmarks.measures.Measure;
import io.github.lucenedirectories.benchmarks.measures.Measure.Better;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.traffic.StepResult;
import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the load workload takes, and what it means. */
final class LoadMeasures {
  static final String CAPACITY_MEANING =
      "The highest rate of requests that the server held: the 99th percentile within the limit, and"
          + " in the end no more requests waiting than come in that time. Rates that are tried lie"
          + " 4.4 percent apart (9 with --quick); one counts as not held when it was tried twice.";
  static final String LATENCY_MEANING =
      "From the moment at which a request was planned to the arrival of its answer at the client,"
          + " over the network. The client never waits: requests come at Poisson times, so those"
          + " that come while the server stalls count with all that they waited.";
  static final String MEMORY_MEANING =
      "heap: what full collections left on the Java heap in the end, after the load. resident: all"
          + " memory of the server, mapped files included; anonymous: what no file is behind, the"
          + " heap among it; mappings: lines of /proc/self/maps. The last three at the end of the"
          + " step at the common rate, or of the last step.";
  private static final String BESIDE_MEANING =
      "What went on in the server in that step. " + Beside.MEANING;
  private static final String UPDATE_MEANING =
      "Over the whole time of a fork, warm-up included. lag: from an update's moment until it was"
          + " done; reopen: all that its thread does for one.";
  private static final String CLIENT_MEANING =
      "late: by how much the client handed a request over after its moment, which is part of the"
          + " latency; sent: of what was planned, by the end of the step; held back: the most"
          + " requests that the connection did not take at one time.";

  private static final double MILLIS = 1e6;
  private static final double MEBIBYTE = 1 << 20;
  private static final double PERCENT = 100;
  private static final double HIGH = 99;
  private static final double MEDIAN = 50;

  static final Measure CAPACITY = new Measure("capacity", "capacity", "/s", Better.HIGHER);
  static final Measure HEAP = new Measure("heap after the load", "heap", "MiB", Better.LOWER);
  private static final Measure UPDATES =
      new Measure("updates per second", "updates", "/s", Better.NEITHER);
  private static final Measure LAG_HIGH =
      new Measure("update lag p99", "lag p99", "ms", Better.LOWER);
  private static final Measure REOPEN = new Measure("reopen p50", "reopen p50", "ms", Better.LOWER);
  private static final Measure REOPEN_HIGH =
      new Measure("reopen p99", "reopen p99", "ms", Better.LOWER);
  private static final Measure SEGMENTS =
      new Measure("segments", "segments", "in the end", Better.NEITHER);

  private LoadMeasures() {}

  /** A rate in the names of measures. */
  static String label(double rate) {
    return Numbers.rate(rate) + "/s";
  }

  /** The name of the latencies at a rate. */
  static String latency(double rate) {
    return "latency at " + label(rate);
  }

  static List<Measure> tails(double rate) {
    return Arrays.stream(Tail.values()).map(tail -> tail(rate, tail)).toList();
  }

  static Measure tail(double rate, Tail tail) {
    return new Measure(latency(rate) + " " + tail.label(), tail.label(), "ms", Better.LOWER);
  }

  private static Beside beside(double rate) {
    return new Beside(" at " + label(rate));
  }

  private static Measure client(double rate, String name, String unit) {
    return new Measure(name + " at " + label(rate), name, unit, Better.NEITHER);
  }

  /** The groups of a run whose columns have rates in common. */
  static List<MeasureGroup> groups(List<Double> rates) {
    List<MeasureGroup> groups = new ArrayList<>();
    groups.add(new MeasureGroup("Capacity", CAPACITY_MEANING, Place.EVERYWHERE, List.of(CAPACITY)));
    for (double rate : rates) {
      groups.add(
          new MeasureGroup(
              "Latency at " + label(rate), LATENCY_MEANING, Place.EVERYWHERE, tails(rate)));
    }
    groups.add(
        new MeasureGroup(
            "Memory",
            MEMORY_MEANING,
            Place.EVERYWHERE,
            Stream.concat(Stream.of(HEAP), Beside.MEMORY.stream()).toList()));
    for (double rate : rates) {
      groups.add(
          new MeasureGroup(
              "Beside the load at " + label(rate),
              BESIDE_MEANING,
              Place.PAGE,
              beside(rate).measures()));
    }
    groups.add(
        new MeasureGroup(
            "Updates and reopens",
            UPDATE_MEANING,
            Place.PAGE,
            List.of(UPDATES, LAG_HIGH, REOPEN, REOPEN_HIGH, SEGMENTS)));
    for (double rate : rates) {
      groups.add(
          new MeasureGroup(
              "The client at " + label(rate),
              CLIENT_MEANING,
              Place.PAGE,
              List.of(late(rate), sent(rate), heldBack(rate))));
    }
    return groups;
  }

  private static Measure late(double rate) {
    return client(rate, "late p99", "ms");
  }

  private static Measure sent(double rate) {
    return client(rate, "sent", "%");
  }

  private static Measure heldBack(double rate) {
    return client(rate, "held back", "requests");
  }

  /** The figures of a column's forks. */
  static Measured measured(String label, List<LoadCell> forks, List<Double> rates) {
    return new Measured(label, forks.stream().map(fork -> figures(fork, rates)).toList());
  }

  private static Map<Measure, Figure> figures(LoadCell cell, List<Double> rates) {
    Map<Measure, Figure> figures = new LinkedHashMap<>();
    put(figures, CAPACITY, cell.capacity());
    int last = cell.steps().size() - 1;
    for (double rate : rates) {
      cell.stepAt(rate)
          .ifPresent(
              number -> {
                step(figures, rate, cell.steps().get(number));
                figures.putAll(beside(rate).figures(span(cell, number)));
              });
    }
    ServerSummary server = cell.server();
    figures.put(HEAP, Figure.of(server.heapBytes() / MEBIBYTE));
    figures.putAll(Beside.memory(span(cell, last).footprint()));
    figures.put(SEGMENTS, Figure.of(server.segments()));
    Histogram lag = EncodedHistogram.decode(server.lag());
    if (lag.getTotalCount() > 0) {
      figures.put(UPDATES, Figure.of(server.updates() / server.seconds()));
      figures.put(LAG_HIGH, Figure.of(lag.getValueAtPercentile(HIGH) / MILLIS));
    }
    Histogram reopen = EncodedHistogram.decode(server.reopen());
    if (reopen.getTotalCount() > 0) {
      figures.put(REOPEN, Figure.of(reopen.getValueAtPercentile(MEDIAN) / MILLIS));
      figures.put(REOPEN_HIGH, Figure.of(reopen.getValueAtPercentile(HIGH) / MILLIS));
    }
    return figures;
  }

  /** The span of a step: two marks bound each. */
  static Span span(LoadCell cell, int step) {
    return cell.server().spans().get(2 * step);
  }

  private static void step(Map<Measure, Figure> figures, double rate, StepResult step) {
    Histogram latencies = step.latencies();
    for (Tail tail : Tail.values()) {
      figures.put(
          tail(rate, tail), Figure.of(latencies.getValueAtPercentile(tail.percent()) / MILLIS));
    }
    figures.put(late(rate), Figure.of(step.lateness().getValueAtPercentile(HIGH) / MILLIS));
    figures.put(sent(rate), Figure.of(PERCENT * step.sent() / Math.max(1, step.planned())));
    figures.put(heldBack(rate), Figure.of((double) step.heldBack()));
  }

  private static void put(Map<Measure, Figure> figures, Measure measure, @Nullable Double value) {
    if (value != null) {
      figures.put(measure, Figure.of(value));
    }
  }
}
