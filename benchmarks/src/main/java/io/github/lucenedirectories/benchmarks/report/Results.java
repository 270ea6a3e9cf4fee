package io.github.lucenedirectories.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code results.json}: every sample of a run and what was made of them. Each
 * workload writes this shape.
 *
 * @param environment the machine, the software, the command and the seed
 * @param results one for each directory and task
 * @param ratios one for each directory, task and directory compared with
 * @param means one for each pair of directories: over the tasks
 * @param skipped what was asked for and not run
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Results(
    Map<String, Object> environment,
    List<Result> results,
    List<Ratio> ratios,
    List<Mean> means,
    List<Skipped> skipped) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * The samples of one task on one directory.
   *
   * @param unit of the median and the samples
   * @param samples one a fork, in the order of the rounds: the i-th samples of two directories were
   *     taken near each other in time
   * @param repetitions for each fork, what its sample is the median of
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Result(
      String workload,
      String directory,
      String task,
      String unit,
      double median,
      @Nullable Interval interval95,
      List<Double> samples,
      List<List<Double>> repetitions) {}

  /** The ratio of two directories in one task; above 1 the first is faster. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ratio(
      String workload,
      String directory,
      String baseline,
      String task,
      double ratio,
      @Nullable Interval interval95,
      @Nullable Interval intervalCorrected,
      String verdict) {}

  /**
   * The geometric mean of one pair's ratios over the tasks, and what the ratios say together.
   *
   * @param widestHalfWidth of the tasks' 95 % intervals
   * @param widestHalfWidthCorrected of the tasks' corrected intervals
   * @param tasksBelow tasks whose corrected interval lies below {@code bound}
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Mean(
      String workload,
      String directory,
      String baseline,
      double ratio,
      @Nullable Interval interval95,
      int tasks,
      int faster,
      int slower,
      String lowestTask,
      double lowestRatio,
      @Nullable Double widestHalfWidth,
      @Nullable Double widestHalfWidthCorrected,
      double bound,
      @Nullable List<String> tasksBelow) {}

  /** Lines of a task file, or a default kind, that were not run. */
  public record Skipped(String task, int lines, String reason) {
    @Override
    public String toString() {
      return task
          + (lines > 0 ? " (" + lines + (lines == 1 ? " line)" : " lines)") : "")
          + ": "
          + reason;
    }
  }

  /** Writes the file. */
  public void write(Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), this);
  }

  /** Reads such a file. */
  public static Results read(Path file) throws IOException {
    return MAPPER.readValue(file.toFile(), Results.class);
  }
}
