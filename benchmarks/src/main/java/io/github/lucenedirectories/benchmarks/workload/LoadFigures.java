// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.LoadSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is reported of {@link LoadWorkload}: at each rate that all columns have in common. */
final class LoadFigures {
  private static final double MEBIBYTE = 1 << 20;
  private static final double PERCENT = 100;

  /* Of fewer requests the highest percentile is the longest. */
  private static final int FEW = 10_000;

  private LoadFigures() {}

  static List<Figures<LoadSamples>> of(List<Double> rates) {
    List<Figures<LoadSamples>> all = new ArrayList<>();
    all.add(
        Figures.everywhere(
            "Capacity",
            "The highest rate of requests that was held: p99 within the limit, and in the"
                + " end no more requests waiting than come in that time. Rates lie 4.4 percent"
                + " apart (9 with --quick). A rate is refused after two tries.",
            List.of(
                new Figure<>("capacity", "capacity", "/s", Better.HIGHER, LoadSamples::capacity))));
    for (double rate : rates) {
      all.add(
          Figures.everywhere(
              "Latency" + at(rate),
              "From the planned moment of a request to its answer: requests that were due during a"
                  + " stall count with all that they waited.",
              Recorded.figures(latency(rate), Recorded.LABELS, s -> latency(s, rate))));
    }
    Figure<LoadSamples> heap =
        new Figure<>(
            "heap after the load", "heap", "MiB", Better.LOWER, s -> s.heapBytes() / MEBIBYTE);
    all.add(
        Figures.everywhere(
            "Memory",
            "heap: left on the Java heap by full collections after the load."
                + ProcessMetrics.MEMORY_MEANING
                + " These three at the end of the last step.",
            Stream.concat(
                    Stream.of(heap),
                    ProcessMetrics.<LoadSamples>memory(
                        s -> s.spans().get(2 * (s.steps().size() - 1)).reading())
                        .stream())
                .toList()));
    for (double rate : rates) {
      all.add(
          Figures.onPage(
              "The process" + at(rate),
              ProcessMetrics.MEANING,
              ProcessMetrics.during(at(rate), s -> s.span(rate))));
    }
    all.add(
        Figures.onPage(
            "Updates",
            "Over the whole time of a fork, warm-up included. p99: of the lag, from the planned"
                + " moment of an update until it is done.",
            List.of(
                Figure.told("updates per second", "/s", LoadSamples::updatesPerSecond),
                Recorded.<LoadSamples>figures("update lag", List.of("p99"), s -> s.lag())
                    .getFirst(),
                Figure.told("segments", "in the end", s -> (double) s.segments()))));
    all.add(
        Figures.onPage(
            "Reopen",
            "All that the reopening thread does, over the whole time of a fork.",
            Recorded.figures("reopen", List.of("p50", "p99"), s -> s.reopen())));
    for (double rate : rates) {
      all.add(
          Figures.onPage(
              "The sender" + at(rate),
              "late: how long after its planned moment a request was handed over, which is part of"
                  + " the latency; sent: share of the planned requests that were handed over by the"
                  + " end of the step.",
              List.of(
                  sender(rate, "late p99", "ms", s -> s.late().millis("p99")),
                  sender(rate, "sent", "%", s -> PERCENT * s.sent() / Math.max(1, s.planned())))));
    }
    return all;
  }

  private static String at(double rate) {
    return " at " + Numbers.rate(rate) + "/s";
  }

  private static String latency(double rate) {
    return "latency" + at(rate);
  }

  private static @Nullable Recorded latency(LoadSamples samples, double rate) {
    return of(samples, rate, StepResult::latency);
  }

  private static <T> @Nullable T of(
      LoadSamples samples, double rate, Function<StepResult, T> value) {
    StepResult step = samples.step(rate);
    return step == null ? null : value.apply(step);
  }

  private static Figure<LoadSamples> sender(
      double rate, String name, String unit, Function<StepResult, Double> value) {
    return new Figure<>(name + at(rate), name, unit, Better.NEITHER, s -> of(s, rate, value));
  }

  static Results complete(
      Results results,
      List<Double> rates,
      LoadWorkload plan,
      Map<String, List<LoadSamples>> samples) {
    List<Results.Latencies> latencies = new ArrayList<>();
    for (double rate : rates) {
      latencies.addAll(
          Recorded.latencies(results.workload(), latency(rate), samples, s -> latency(s, rate)));
    }
    List<Results.Series> curves = new ArrayList<>();
    for (String percentile : Recorded.LABELS) {
      Double limit = percentile.equals("p99") ? Double.valueOf(plan.limitMillis) : null;
      samples.forEach(
          (label, forks) ->
              curves.add(
                  new Results.Series(
                      results.workload(),
                      label,
                      "latency " + percentile,
                      "requests/s",
                      "ms",
                      limit,
                      curve(forks, percentile))));
    }
    return results
        .withLatencies(latencies)
        .withSeries(curves)
        .noting(hints(samples, rates, plan.updates()));
  }

  /** A percentile by rate. Of several steps at a rate the last counts, when the JVM is warmest. */
  private static List<Results.At> curve(List<LoadSamples> forks, String percentile) {
    Map<Double, List<Double>> rates = new TreeMap<>();
    for (LoadSamples fork : forks) {
      for (double rate :
          fork.steps().stream().skip(1).map(StepResult::perSecond).distinct().toList()) {
        Recorded found = latency(fork, rate);
        if (found != null && found.count() > 0) {
          rates.computeIfAbsent(rate, _ -> new ArrayList<>()).add(found.millis(percentile));
        }
      }
    }
    return rates.entrySet().stream().map(e -> new Results.At(e.getKey(), e.getValue())).toList();
  }

  private static List<String> hints(
      Map<String, List<LoadSamples>> samples, List<Double> rates, int updatesPerSecond) {
    List<StepResult> steps =
        samples.values().stream()
            .flatMap(List::stream)
            .flatMap(fork -> rates.stream().map(fork::step))
            .filter(Objects::nonNull)
            .toList();
    long planned = steps.stream().mapToLong(StepResult::planned).sum();
    long sent = steps.stream().mapToLong(StepResult::sent).sum();
    List<String> hints = new ArrayList<>();
    hints.add(
        Numbers.text(
            "Sent were %,d of %,d requests in time (%.2f %%) at the rates in common, 99 %% of"
                + " them at most %.2f ms late. %,d were never answered.",
            sent,
            planned,
            PERCENT * sent / Math.max(1, planned),
            steps.stream().mapToDouble(s -> s.late().millis("p99")).max().orElse(0),
            steps.stream().mapToLong(StepResult::unanswered).sum()));
    int fewest = steps.stream().mapToInt(StepResult::requests).min().orElse(FEW);
    if (fewest < FEW) {
      hints.add(Numbers.text("Of %,d requests in a step p99.99 is the longest.", fewest));
    }
    samples.forEach(
        (label, forks) -> {
          if (forks.stream().anyMatch(fork -> fork.capacity() == null)) {
            hints.add(label + ": there are forks that held no rate that was tried.");
          }
          double least =
              forks.stream().mapToDouble(LoadSamples::updatesPerSecond).min().orElseThrow();
          LiveIndex.lagging(label, least, updatesPerSecond).ifPresent(hints::add);
        });
    return hints;
  }
}
