package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes medians, and ratios to the directories that are compared with, of what forks found. */
public final class MeasureAnalysis {
  private final String workload;
  private final List<Measured> columns;
  private final List<Measure> measures;
  private final List<String> references;
  private final ForkStatistics statistics;

  /**
   * @param references labels of what every column is compared with, the baseline first; one that
   *     did not run is left out
   */
  public MeasureAnalysis(
      String workload,
      List<Measured> columns,
      List<MeasureGroup> groups,
      List<String> references,
      long seed) {
    this.workload = workload;
    this.columns = List.copyOf(columns);
    this.measures = groups.stream().flatMap(group -> group.measures().stream()).toList();
    this.references = List.copyOf(references);
    this.statistics = new ForkStatistics(columns.get(0).forks().size(), seed);
  }

  /** Every sample, column by column. */
  public List<Result> results() {
    return columns.stream()
        .flatMap(
            column -> measures.stream().filter(column::has).map(measure -> result(column, measure)))
        .toList();
  }

  private Result result(Measured column, Measure measure) {
    List<Figure> figures = column.figures(measure);
    double[] values = column.values(measure);
    return Result.of(
        workload,
        column.label(),
        measure.task(),
        measure.unit(),
        isPositive(values) ? statistics.median(values) : Estimate.unsure(values),
        values,
        figures.stream().allMatch(figure -> figure.parts().isEmpty())
            ? List.of()
            : figures.stream().map(Figure::parts).toList());
  }

  /** Every column compared with every reference. */
  public List<Ratio> ratios() {
    return references.stream()
        .map(this::column)
        .filter(Objects::nonNull)
        .flatMap(
            reference ->
                columns.stream()
                    .filter(column -> !column.equals(reference))
                    .flatMap(column -> ratios(column, reference)))
        .toList();
  }

  private @Nullable Measured column(String label) {
    return columns.stream().filter(c -> c.label().equals(label)).findFirst().orElse(null);
  }

  private Stream<Ratio> ratios(Measured column, Measured reference) {
    return measures.stream()
        .filter(measure -> measure.isCompared() && column.has(measure) && reference.has(measure))
        .filter(m -> isPositive(column.values(m)) && isPositive(reference.values(m)))
        .map(measure -> ratio(column, reference, measure));
  }

  private Ratio ratio(Measured column, Measured reference, Measure measure) {
    Estimate ratio =
        statistics
            .ratios(
                Map.of(measure.task(), column.values(measure)),
                Map.of(measure.task(), reference.values(measure)))
            .mean();
    return Ratio.of(
        workload, column.label(), reference.label(), measure.task(), ratio, measure.verdict(ratio));
  }

  private static boolean isPositive(double[] values) {
    return Arrays.stream(values).allMatch(value -> value > 0);
  }
}
