// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/** Results of samples whose truth is known, made as the harness makes them. */
public final class MadeUp {
  public static final String BASE = "MMapDirectory";
  public static final List<String> KINDS =
      IntStream.range(0, 20).mapToObj(i -> "Kind" + i).toList();
  public static final String TIME = "query p99";
  public static final String COUNT = "segments";
  private static final double RATE = 1000;
  private static final double MILLIS = 20;

  private final Map<String, List<Map<String, Double>>> samples = new LinkedHashMap<>();
  private final Random random = new Random(23);
  private final int forks;
  private final double noise;
  private boolean kinds = true;

  /**
   * @param noise of a sample, the standard deviation of its logarithm
   */
  public MadeUp(int forks, double noise) {
    this.forks = forks;
    this.noise = noise;
    column(BASE, 1, 1);
  }

  /** Adds a column whose rates and times are multiples of the baseline's. */
  public MadeUp column(String label, double rate, double time) {
    List<Map<String, Double>> all = new ArrayList<>();
    for (int fork = 0; fork < forks; fork++) {
      Map<String, Double> one = new HashMap<>();
      KINDS.forEach(kind -> one.put(kind, RATE * rate * noisy()));
      one.put(TIME, MILLIS * time * noisy());
      one.put(COUNT, 7.0);
      all.add(one);
    }
    samples.put(label, all);
    return this;
  }

  /** The baseline, measured again. */
  public MadeUp control() {
    return column(Results.controlOf(BASE), 1, 1);
  }

  /** Multiplies one figure of a column, with alternating sign of the exponent if it shakes. */
  public MadeUp times(String label, String task, double factor, boolean shaking) {
    List<Map<String, Double>> all = Objects.requireNonNull(samples.get(label));
    for (int fork = 0; fork < forks; fork++) {
      double by = shaking && fork % 2 == 0 ? 1 / factor : factor;
      all.get(fork).compute(task, (t, value) -> value == null ? null : value * by);
    }
    return this;
  }

  /** Takes a figure away from the last fork. */
  public MadeUp without(String label, String task) {
    Objects.requireNonNull(samples.get(label)).get(forks - 1).remove(task);
    return this;
  }

  /** Leaves the kinds of query out, so that there is no mean. */
  public MadeUp timesAlone() {
    kinds = false;
    return this;
  }

  private double noisy() {
    return Math.exp(noise * random.nextGaussian());
  }

  private List<Figures<Map<String, Double>>> figures() {
    List<Figures<Map<String, Double>>> all = new ArrayList<>();
    if (kinds) {
      all.add(
          new Figures<>(
              "Queries per second",
              "How <fast> it is.",
              true,
              true,
              KINDS.stream().map(kind -> figure(kind, "queries/s", Better.HIGHER)).toList()));
    }
    all.add(
        new Figures<>(
            "Latency",
            "How long it takes.",
            true,
            false,
            List.of(figure(TIME, "ms", Better.LOWER))));
    all.add(
        new Figures<>(
            "The runs",
            "What went on.",
            false,
            false,
            List.of(figure(COUNT, "in the end", Better.NEITHER))));
    return all;
  }

  private static Figure<Map<String, Double>> figure(String task, String unit, Better better) {
    return new Figure<>(
        task,
        task,
        unit,
        better,
        s -> s.get(task),
        s -> better == Better.HIGHER ? List.of(1.0, 1.0) : List.of());
  }

  /** The analysis, with all columns compared with the baseline. */
  public Analysis<Map<String, Double>> analysis() {
    Analysis<Map<String, Double>> analysis = new Analysis<>("test", samples, figures(), 42);
    analysis.compareAll(BASE);
    return analysis;
  }

  /** The results with their verdict. */
  public Results results() {
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("cpu", "a & b");
    environment.put("plan", Map.of("threads", 2));
    return analysis()
        .results(environment, List.of())
        .shown(
            new Presentation(
                "Made up <for> a test",
                List.of("A note & more."),
                List.of(BASE),
                figures().stream().map(Figures::presentation).toList()))
        .judged();
  }
}
