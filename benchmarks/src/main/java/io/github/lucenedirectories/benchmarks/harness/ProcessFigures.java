package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.Measure;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Shown;
import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.function.Function;

/** Pauses, page faults, device bytes and memory of a fork while it was measured. */
public final class ProcessFigures {

  private ProcessFigures() {}

  /** The figures of samples that have a span. */
  public static <S> Figures<S> of(Function<S, Span> span) {
    return new Figures<>(
            Beside.GROUP.title(),
            Beside.GROUP.meaning(),
            Shown.PAGE,
            false,
            Beside.GROUP.measures().stream().map(ProcessFigures::figure).toList())
        .within(span);
  }

  private static Figures.Figure<Span> figure(Measure measure) {
    return new Figures.Figure<>(
        measure.task(),
        measure.heading(),
        measure.unit(),
        Better.NEITHER,
        span -> {
          var found = Beside.all(span).get(measure);
          return found == null ? null : found.value();
        });
  }
}
