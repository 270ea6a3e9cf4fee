// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Table;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.LoadSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
                    ProcessMetrics.<LoadSamples>memory(s -> s.spans().getLast().reading()).stream())
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
    return all;
  }

  private static String at(double rate) {
    return " at " + Numbers.rate(rate) + "/s";
  }

  private static String latency(double rate) {
    return "latency" + at(rate);
  }

  private static @Nullable Recorded latency(LoadSamples samples, double rate) {
    StepResult step = samples.step(rate);
    return step == null ? null : step.latency();
  }

  static Results complete(
      Results results,
      List<Double> rates,
      LoadWorkload plan,
      Map<String, List<LoadSamples>> samples) {
    return results
        .withTables(List.of(byRate(samples, plan.limitMillis)))
        .noting(hints(samples, rates, plan.updates()));
  }

  /** All rates that were tried, also those of a search for the capacity. */
  private static Table byRate(Map<String, List<LoadSamples>> samples, double limitMillis) {
    Set<Double> rates = new TreeSet<>();
    samples.values().stream()
        .flatMap(List::stream)
        .flatMap(fork -> fork.steps().stream().skip(1))
        .forEach(step -> rates.add(step.perSecond()));
    List<String> header = new ArrayList<>(List.of("requests/s"));
    header.addAll(samples.keySet());
    List<List<String>> rows = new ArrayList<>();
    for (double rate : rates) {
      List<String> row = new ArrayList<>(List.of(Numbers.rate(rate)));
      samples.values().forEach(forks -> row.add(high(forks, rate)));
      rows.add(row);
    }
    String title = "p99 in ms at each rate; the limit is " + Numbers.rate(limitMillis);
    return new Table(title, "Medians over the JVMs that tried the rate.", header, rows);
  }

  private static String high(List<LoadSamples> forks, double rate) {
    List<Double> millis =
        forks.stream()
            .map(fork -> latency(fork, rate))
            .filter(found -> found != null && found.count() > 0)
            .map(found -> found.millis("p99"))
            .toList();
    return millis.isEmpty() ? "-" : Numbers.rate(Medians.of(millis));
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
