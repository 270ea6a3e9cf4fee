// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Figures that are shown together in a table.
 *
 * @param onTerminal whether they are on the terminal too, or on the page alone
 * @param summed whether their ratios have a geometric mean, as those of kinds of query do
 * @param <S> what one fork measured
 */
public record Figures<S>(
    String title, String meaning, boolean onTerminal, boolean summed, List<Figure<S>> all) {

  /**
   * One figure that a workload takes of each fork.
   *
   * @param task its name in {@code results.json}, unique in a run
   * @param heading its name in a table of its group
   * @param value of one fork; null if that fork could not take it
   * @param parts the values that {@code value} was made of, where they are worth keeping
   */
  public record Figure<S>(
      String task,
      String heading,
      String unit,
      Better better,
      Function<S, @Nullable Double> value,
      Function<S, List<Double>> parts) {

    public Figure(
        String task,
        String heading,
        String unit,
        Better better,
        Function<S, @Nullable Double> value) {
      this(task, heading, unit, better, value, samples -> List.of());
    }

    /** A figure that only describes, and has the same name everywhere. */
    public static <S> Figure<S> told(
        String task, String unit, Function<S, @Nullable Double> value) {
      return new Figure<>(task, task, unit, Better.NEITHER, value);
    }

    public boolean isCompared() {
      return better != Better.NEITHER;
    }
  }

  public Figures {
    all = List.copyOf(all);
  }

  /** Queries per second of each kind, with the values that each was made of. */
  public static <S> Figures<S> rates(
      List<String> kinds,
      BiFunction<S, String, Double> rate,
      BiFunction<S, String, List<Double>> parts) {
    return new Figures<>(
        "Queries per second",
        "Of each kind: the median over JVMs.",
        true,
        true,
        kinds.stream()
            .map(
                kind ->
                    new Figure<S>(
                        kind,
                        kind,
                        "queries/s",
                        Better.HIGHER,
                        samples -> rate.apply(samples, kind),
                        samples -> parts.apply(samples, kind)))
            .toList());
  }

  /** Figures on the terminal and the page, without a mean. */
  public static <S> Figures<S> everywhere(String title, String meaning, List<Figure<S>> all) {
    return new Figures<>(title, meaning, true, false, all);
  }

  public static <S> Figures<S> onPage(String title, String meaning, List<Figure<S>> all) {
    return new Figures<>(title, meaning, false, false, all);
  }

  public Presentation.FigureGroup presentation() {
    return new Presentation.FigureGroup(
        title,
        meaning,
        onTerminal,
        summed,
        all.stream()
            .map(f -> new Presentation.Shown(f.task(), f.heading(), f.unit(), f.better()))
            .toList());
  }
}
